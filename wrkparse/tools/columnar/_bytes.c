/* Loops over the bytes and numbers of long logs. wrkparse works without them, more slowly.
 *
 * `read` gives what regex_decoder.py gives; the others replace a line or two of Python each, in buffers.py and in
 * wrkparse/parse/events/scan.py. Buffers are checked here: no argument makes these functions read or write outside
 * of them. They hold no state. All but `numbers`, which is called for each report, let other threads run.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define WORD ((Py_ssize_t)sizeof(int64_t))

static void release(Py_buffer *buffers, int count) {
    while (count--)
        PyBuffer_Release(buffers + count);
}

/* A count, or NULL for -1, once the buffers are let go. */
static PyObject *answer(Py_ssize_t count, Py_buffer *buffers, int buffers_count) {
    release(buffers, buffers_count);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

/* A buffer of int64 of which all lie between 0 and `most`, in rising order. */
static int rising(const Py_buffer *buffer, Py_ssize_t most) {
    const int64_t *at = buffer->buf;
    Py_ssize_t count = buffer->len / WORD;
    int64_t last = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (at[i] < last || at[i] > most)
            return 0;
        last = at[i];
    }
    return 1;
}

enum { CHUNK = 64, MOST_DIGITS = 15, MOST_DECIMALS = 3, MOST_NUMBERS = 1 << 16 };

static const double POWERS[MOST_DECIMALS + 1] = {1.0, 10.0, 100.0, 1000.0};

static int is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }

static int is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

/* ---- where ---- */

PyDoc_STRVAR(where_doc, "where(text, what, found)\n--\n\n"
    "Where one or two bytes stand in a text, as far as there is room in `found` (int64); returns how often they\n"
    "do.");

/* Whether two bytes stand one behind the other in CHUNK + 1 bytes: a loop that compilers turn into vectors. */
static int in_chunk(const uint8_t *text, uint8_t one, uint8_t other) {
    uint8_t any = 0;
    for (int i = 0; i < CHUNK; i++)
        any |= (uint8_t)((text[i] == one) & (text[i + 1] == other));
    return any;
}

static Py_ssize_t where_one(const uint8_t *text, Py_ssize_t size, uint8_t what, int64_t *found, Py_ssize_t room) {
    Py_ssize_t count = 0;
    for (const uint8_t *at = text; size > at - text && (at = memchr(at, what, (size_t)(size - (at - text)))); at++) {
        if (count < room)
            found[count] = at - text;
        count++;
    }
    return count;
}

static Py_ssize_t where_two(const uint8_t *text, Py_ssize_t size, const uint8_t *what, int64_t *found,
                            Py_ssize_t room) {
    Py_ssize_t count = 0;
    for (Py_ssize_t first = 0; first < size - 1; first += CHUNK) {
        Py_ssize_t end = first + CHUNK < size ? first + CHUNK : size - 1;
        if (end - first == CHUNK && !in_chunk(text + first, what[0], what[1]))
            continue;
        const uint8_t *at = text + first + 1, *stop = text + end + 1; /* of the second byte */
        for (; at < stop && (at = memchr(at, what[1], (size_t)(stop - at))); at++)
            if (at[-1] == what[0]) {
                if (count < room)
                    found[count] = at - 1 - text;
                count++;
            }
    }
    return count;
}

static PyObject *bytes_where(PyObject *self, PyObject *args) {
    Py_buffer b[3], *text = b, *what = b + 1, *found = b + 2;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*w*", text, what, found))
        return NULL;
    Py_ssize_t count = -1, room = found->len / WORD;
    Py_BEGIN_ALLOW_THREADS
    if (what->len == 1)
        count = where_one(text->buf, text->len, *(const uint8_t *)what->buf, found->buf, room);
    else if (what->len == 2)
        count = where_two(text->buf, text->len, what->buf, found->buf, room);
    Py_END_ALLOW_THREADS
    if (count < 0)
        PyErr_SetString(PyExc_ValueError, "one or two bytes can be looked for");
    return answer(count, b, 3);
}

/* ---- openings ---- */

PyDoc_STRVAR(openings_doc, "openings(text, word, digits, mark, places)\n--\n\n"
    "Where a word, a number of so many digits at most and a mark stand together. `places` (int64, rising) are\n"
    "where the last two bytes of the mark stand, and become where the words begin; returns how many do.");

static Py_ssize_t openings(const Py_buffer *text, const Py_buffer *word, Py_ssize_t digits, const Py_buffer *mark,
                           int64_t *marks, Py_ssize_t room) {
    const uint8_t *bytes = text->buf, *wanted = mark->buf;
    Py_ssize_t count = 0, behind = mark->len - 2;
    for (Py_ssize_t i = 0; i < room; i++) {
        Py_ssize_t at = (Py_ssize_t)marks[i] - behind, start = at;
        if (at < 0 || memcmp(bytes + at, wanted, (size_t)behind))
            continue;
        while (start > 0 && at - start < digits && is_digit(bytes[start - 1]))
            start--;
        if (start == at || start < word->len || memcmp(bytes + start - word->len, word->buf, (size_t)word->len))
            continue;
        marks[count++] = start - word->len;
    }
    return count;
}

static PyObject *bytes_openings(PyObject *self, PyObject *args) {
    Py_buffer b[4], *text = b, *word = b + 1, *mark = b + 2, *marks = b + 3;
    Py_ssize_t digits, count = -1;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*ny*w*", text, word, &digits, mark, marks))
        return NULL;
    if (mark->len >= 2 && rising(marks, text->len - 2))
        count = openings(text, word, digits, mark, marks->buf, marks->len / WORD);
    else
        PyErr_SetString(PyExc_ValueError, "a mark has two bytes or more, and its places rise and lie in the text");
    return answer(count, b, 4);
}

/* ---- cut ---- */

PyDoc_STRVAR(cut_doc, "cut(text, starts, stops)\n--\n\n"
    "The pieces of a text between these places (int64), together.");

static PyObject *bytes_cut(PyObject *self, PyObject *args) {
    Py_buffer b[3], *text = b, *starts = b + 1, *stops = b + 2;
    PyObject *found = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*", text, starts, stops))
        return NULL;
    const int64_t *from = starts->buf, *to = stops->buf;
    Py_ssize_t count = starts->len / WORD, size = 0;
    int sound = starts->len == stops->len && rising(starts, text->len) && rising(stops, text->len);
    for (Py_ssize_t i = 0; sound && i < count; i++) {
        sound = from[i] <= to[i] && to[i] - from[i] <= PY_SSIZE_T_MAX - size;
        size += (Py_ssize_t)(to[i] - from[i]);
    }
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "pieces begin and end in rising order, in the text");
    else if ((found = PyBytes_FromStringAndSize(NULL, size))) {
        char *out = PyBytes_AsString(found);
        for (Py_ssize_t i = 0; i < count; i++) {
            memcpy(out, (const char *)text->buf + from[i], (size_t)(to[i] - from[i]));
            out += to[i] - from[i];
        }
    }
    release(b, 3);
    return found;
}

/* ---- read ---- */

PyDoc_STRVAR(read_doc, "read(text, ends, gaps, kinds, cells, places, marks, mark)\n--\n\n"
    "Read the lines that have exactly these gaps around their numbers, and blanks behind them; returns how many\n"
    "have.\n\n"
    "`ends` (int64): where each line's break stands. `kinds`, a byte for each number: 1 for a double, which may\n"
    "have one to three decimals, 0 for an int64. `cells`, of eight bytes each: where the numbers go. `places`\n"
    "(int64): the cell of each number in line 0, then how far on that in the next line is. `marks`, a byte for\n"
    "each line: lines with 0 are tried, and get `mark` if they are read. A number of more than 15 digits is not\n"
    "read, nor is its line.");

typedef struct {
    const uint8_t *text;
    uint64_t head, mask; /* the first eight bytes, and which of them belong to the gap */
    Py_ssize_t size;
} Gap;

typedef struct {
    Py_ssize_t width;      /* numbers in a line */
    const Gap *gaps;       /* one more than numbers */
    const uint8_t *kinds;  /* of each number: 0 whole, as an int64; 1 with decimals, as a double */
    const int64_t *offsets, *strides; /* in cells: where its column begins, how far rows are apart */
    int64_t *cells;
} Plan;

static void measure(Gap *gap, const uint8_t *text, Py_ssize_t size) {
    uint8_t mask[8] = {0}, head[8] = {0};
    for (Py_ssize_t i = 0; i < size && i < 8; i++) {
        mask[i] = 0xFF;
        head[i] = text[i];
    }
    memcpy(&gap->mask, mask, 8);
    memcpy(&gap->head, head, 8);
    gap->text = text;
    gap->size = size;
}

/* Whether a tuple of bytes could be read. */
static int measured(Gap *gaps, PyObject *texts, Py_ssize_t count) {
    for (Py_ssize_t i = 0; i < count; i++) {
        char *text;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(texts, i), &text, &size))
            return 0;
        measure(gaps + i, (const uint8_t *)text, size);
    }
    return 1;
}

static const uint8_t *behind(const Gap *gap, const uint8_t *at, const uint8_t *stop) {
    if (stop - at < gap->size)
        return NULL;
    if (stop - at < 8)
        return memcmp(at, gap->text, (size_t)gap->size) ? NULL : at + gap->size;
    uint64_t head;
    memcpy(&head, at, 8);
    if ((head & gap->mask) != gap->head)
        return NULL;
    if (gap->size > 8 && memcmp(at + 8, gap->text + 8, (size_t)(gap->size - 8)))
        return NULL;
    return at + gap->size;
}

/* Digits, with one to three decimals behind a dot if `fractional`; NULL for what is none, or has too many. */
static const uint8_t *number(const uint8_t *at, const uint8_t *stop, int fractional, int64_t *cell) {
    const uint8_t *begin = at;
    int64_t digits = 0;
    int decimals = 0;
    while (at < stop && is_digit(*at) && at - begin <= MOST_DIGITS)
        digits = 10 * digits + (*at++ - '0');
    if (at == begin || at - begin > MOST_DIGITS)
        return NULL;
    if (fractional) {
        if (at < stop && *at == '.') {
            at++;
            while (at < stop && is_digit(*at) && decimals <= MOST_DECIMALS) {
                digits = 10 * digits + (*at++ - '0');
                decimals++;
            }
            if (!decimals || decimals > MOST_DECIMALS || at - begin > MOST_DIGITS + 1)
                return NULL;
        }
        /* Both are exact as doubles, so the quotient is the double next to the decimal number. */
        double value = (double)digits / POWERS[decimals];
        memcpy(cell, &value, sizeof value);
    } else
        *cell = digits;
    return at;
}

/* Whether a line is exactly the plan's, but for blanks behind it; its numbers go into their cells. */
static int read_line(const Plan *plan, const uint8_t *at, const uint8_t *stop, Py_ssize_t row) {
    for (Py_ssize_t i = 0; i < plan->width; i++) {
        if (!(at = behind(plan->gaps + i, at, stop)))
            return 0;
        if (!(at = number(at, stop, plan->kinds[i], plan->cells + plan->offsets[i] + plan->strides[i] * row)))
            return 0;
    }
    if (!(at = behind(plan->gaps + plan->width, at, stop)))
        return 0;
    while (at < stop && is_blank(*at))
        at++;
    return at == stop;
}

static Py_ssize_t read_lines(const Plan *plan, const Py_buffer *text, const int64_t *ends, Py_ssize_t lines,
                             uint8_t *marks, uint8_t mark) {
    const uint8_t *bytes = text->buf;
    Py_ssize_t count = 0;
    int64_t begin = 0;
    for (Py_ssize_t i = 0; i < lines; i++) {
        if (!marks[i] && ends[i] > begin && read_line(plan, bytes + begin, bytes + ends[i], i)) {
            marks[i] = mark;
            count++;
        }
        begin = ends[i] + 1;
    }
    return count;
}

/* Whether all cells of a plan lie in a buffer of so many. */
static int in_cells(const Plan *plan, Py_ssize_t lines, Py_ssize_t cells) {
    for (Py_ssize_t i = 0; i < plan->width; i++) {
        int64_t offset = plan->offsets[i], stride = plan->strides[i];
        if (offset < 0 || offset >= cells || stride < 0 || (lines > 1 && stride > (cells - 1 - offset) / (lines - 1)))
            return 0;
    }
    return 1;
}

static PyObject *bytes_read(PyObject *self, PyObject *args) {
    Py_buffer b[6], *text = b, *ends = b + 1, *kinds = b + 2, *cells = b + 3, *places = b + 4, *marks = b + 5;
    PyObject *texts;
    int mark;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*Oy*w*y*w*i", text, ends, &texts, kinds, cells, places, marks, &mark))
        return NULL;
    Py_ssize_t count = -1, width = kinds->len, lines = ends->len / WORD;
    Gap *gaps = NULL;
    Plan plan = {width, NULL, kinds->buf, places->buf, (const int64_t *)places->buf + width, cells->buf};
    if (!PyTuple_Check(texts) || PyTuple_Size(texts) != width + 1 || width > MOST_NUMBERS || marks->len != lines ||
        places->len != 2 * width * WORD || mark < 1 || mark > UINT8_MAX || !rising(ends, text->len))
        PyErr_SetString(PyExc_ValueError, "a gap more than numbers, a mark for each line, lines that end in the text");
    else if (!in_cells(&plan, lines, cells->len / WORD))
        PyErr_SetString(PyExc_ValueError, "the columns reach beyond the cells");
    else if (!(plan.gaps = gaps = PyMem_Malloc((size_t)(width + 1) * sizeof(Gap))))
        PyErr_NoMemory();
    else if (measured(gaps, texts, width + 1)) {
        Py_BEGIN_ALLOW_THREADS
        count = read_lines(&plan, text, ends->buf, lines, marks->buf, (uint8_t)mark);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(gaps);
    return answer(count, b, 6);
}

/* ---- numbers ---- */

PyDoc_STRVAR(numbers_doc, "numbers(texts, steps)\n--\n\n"
    "The values of printed numbers and their resolutions. `texts` has the digits and the suffix of each number;\n"
    "`steps` what the digits are multiplied by and divided by, and the resolution, by the suffix. None if a number\n"
    "is of another form, or if doubles would round it twice.");

enum { MOST_WHOLE = 18 }; /* digits of a number that an int64 holds */

#define EXACT (1LL << 53) /* whole numbers up to here are doubles */

/* A number, or -1 where it can't be computed so. */
static double scaled(PyObject *digits, PyObject *step) {
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(digits, &size);
    int64_t number = 0, times, over, odd;
    int count = 0;
    if (!text || !step || !PyTuple_Check(step) || PyTuple_Size(step) != 3)
        return -1;
    for (Py_ssize_t i = 0; i < size; i++) {
        if (text[i] == '.')
            continue;
        if (!is_digit((uint8_t)text[i]) || ++count > MOST_WHOLE)
            return -1;
        number = number * 10 + (text[i] - '0');
    }
    times = odd = PyLong_AsLongLong(PyTuple_GetItem(step, 0));
    over = PyLong_AsLongLong(PyTuple_GetItem(step, 1));
    if (!count || times < 1 || over < 1 || over > EXACT)
        return -1;
    if (times == 1 && over == 1)
        return (double)number;
    while (!(odd & 1))
        odd >>= 1;
    return number > EXACT / odd ? -1 : (double)number * (double)times / (double)over;
}

static PyObject *bytes_numbers(PyObject *self, PyObject *args) {
    PyObject *texts, *steps, *answer = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &texts, &PyTuple_Type, &steps))
        return NULL;
    Py_ssize_t count = PyTuple_Size(steps);
    if (PyTuple_Size(texts) != 2 * count) {
        PyErr_SetString(PyExc_ValueError, "the digits and the suffix of each number");
        return NULL;
    }
    PyObject *values = PyTuple_New(count), *resolutions = PyTuple_New(count);
    Py_ssize_t i = 0;
    for (; values && resolutions && i < count; i++) {
        PyObject *step = PyDict_GetItemWithError(PyTuple_GetItem(steps, i), PyTuple_GetItem(texts, 2 * i + 1));
        double number = scaled(PyTuple_GetItem(texts, 2 * i), step);
        PyObject *value = number < 0 ? NULL : PyFloat_FromDouble(number);
        if (!value)
            break;
        PyTuple_SetItem(values, i, value);
        PyTuple_SetItem(resolutions, i, Py_NewRef(PyTuple_GetItem(step, 2)));
    }
    if (values && resolutions && i == count)
        answer = PyTuple_Pack(2, values, resolutions);
    else if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        answer = Py_NewRef(Py_None);
    }
    Py_XDECREF(values);
    Py_XDECREF(resolutions);
    return answer;
}

static PyMethodDef methods[] = {
    {"where", bytes_where, METH_VARARGS, where_doc},
    {"openings", bytes_openings, METH_VARARGS, openings_doc},
    {"cut", bytes_cut, METH_VARARGS, cut_doc},
    {"read", bytes_read, METH_VARARGS, read_doc},
    {"numbers", bytes_numbers, METH_VARARGS, numbers_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "wrkparse.tools.columnar._bytes", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__bytes(void) { return PyModule_Create(&module); }
