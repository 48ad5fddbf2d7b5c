/* The loops over bytes and numbers of long logs, compiled where a C compiler is at hand when wrkparse is installed.
 *
 * Each function does what some lines of numpy in wrkparse/tools/numbers.py, wrkparse/tools/columns.py and
 * wrkparse/skim.py do as well; they tell what it means. Buffers are checked here: no
 * argument makes these functions read or write outside of them. They hold no state, and let other threads run.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { CHUNK = 64, MOST_DIGITS = 15, MOST_DECIMALS = 3, MOST_NUMBERS = 1 << 16 };

static const double POWERS[MOST_DECIMALS + 1] = {1.0, 10.0, 100.0, 1000.0};

static int is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }

static int is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

/* A buffer of int64 of which all lie between 0 and `most`, in rising order. */
static int rising(const Py_buffer *buffer, Py_ssize_t most) {
    const int64_t *at = buffer->buf;
    Py_ssize_t count = buffer->len / (Py_ssize_t)sizeof(int64_t);
    int64_t last = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (at[i] < last || at[i] > most)
            return 0;
        last = at[i];
    }
    return 1;
}

/* ---- where ---- */

PyDoc_STRVAR(where_doc, "where(text, what, found)\n--\n\n"
    "Where one or two bytes stand in a text, as far as there is room in `found` (int64); returns how often they do.");

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
        for (Py_ssize_t at = first; at < end; at++)
            if (text[at] == what[0] && text[at + 1] == what[1]) {
                if (count < room)
                    found[count] = at;
                count++;
            }
    }
    return count;
}

static PyObject *bytes_where(PyObject *self, PyObject *args) {
    Py_buffer text, what, found;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*w*", &text, &what, &found))
        return NULL;
    Py_ssize_t count = -1, room = found.len / (Py_ssize_t)sizeof(int64_t);
    Py_BEGIN_ALLOW_THREADS
    if (what.len == 1)
        count = where_one(text.buf, text.len, *(const uint8_t *)what.buf, found.buf, room);
    else if (what.len == 2)
        count = where_two(text.buf, text.len, what.buf, found.buf, room);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&text);
    PyBuffer_Release(&what);
    PyBuffer_Release(&found);
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "one or two bytes can be looked for");
        return NULL;
    }
    return PyLong_FromSsize_t(count);
}

/* ---- openings ---- */

PyDoc_STRVAR(openings_doc, "openings(text, word, digits, mark, places)\n--\n\n"
    "Where a word, a number of so many digits at most and a mark stand together. `places` (int64, rising) are where the\n"
    "last two bytes of the mark stand, and become where the words begin; returns how many do.");

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
    Py_buffer text, word, mark, marks;
    Py_ssize_t digits;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*ny*w*", &text, &word, &digits, &mark, &marks))
        return NULL;
    Py_ssize_t count = -1;
    if (mark.len >= 2 && rising(&marks, text.len - 2))
        count = openings(&text, &word, digits, &mark, marks.buf, marks.len / (Py_ssize_t)sizeof(int64_t));
    PyBuffer_Release(&text);
    PyBuffer_Release(&word);
    PyBuffer_Release(&mark);
    PyBuffer_Release(&marks);
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "a mark has two bytes or more, and its places rise and lie in the text");
        return NULL;
    }
    return PyLong_FromSsize_t(count);
}

/* ---- cut ---- */

PyDoc_STRVAR(cut_doc, "cut(text, starts, stops)\n--\n\nThe pieces of a text between these places (int64), together.");

static PyObject *bytes_cut(PyObject *self, PyObject *args) {
    Py_buffer text, starts, stops;
    PyObject *found = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*", &text, &starts, &stops))
        return NULL;
    const int64_t *from = starts.buf, *to = stops.buf;
    Py_ssize_t count = starts.len / (Py_ssize_t)sizeof(int64_t), size = 0;
    int sound = starts.len == stops.len && rising(&starts, text.len) && rising(&stops, text.len);
    for (Py_ssize_t i = 0; sound && i < count; i++) {
        sound = from[i] <= to[i] && to[i] - from[i] <= PY_SSIZE_T_MAX - size;
        size += (Py_ssize_t)(to[i] - from[i]);
    }
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "pieces begin and end in rising order, in the text");
    else if ((found = PyBytes_FromStringAndSize(NULL, size))) {
        char *out = PyBytes_AsString(found);
        for (Py_ssize_t i = 0; i < count; i++) {
            memcpy(out, (const char *)text.buf + from[i], (size_t)(to[i] - from[i]));
            out += to[i] - from[i];
        }
    }
    PyBuffer_Release(&text);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&stops);
    return found;
}

/* ---- read ---- */

PyDoc_STRVAR(read_doc, "read(text, ends, gaps, kinds, cells, places, marks, mark)\n--\n\n"
    "Read the lines that have exactly these gaps around their numbers, and blanks behind them; returns how many have.\n\n"
    "`ends` (int64): where each line's break stands. `kinds`, a byte for each number: 1 for a double, which may have one\n"
    "to three decimals, 0 for an int64. `cells`, of eight bytes each: where the numbers go. `places` (int64): the cell\n"
    "of each number in line 0, then how far on that in the next line is. `marks`, a byte for each line: lines with 0 are\n"
    "tried, and get `mark` if they are read. A number of more than 15 digits is not read, nor is its line.");

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
    Py_buffer text, ends, kinds, cells, places, marks;
    PyObject *texts;
    int mark;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*Oy*w*y*w*i", &text, &ends, &texts, &kinds, &cells, &places, &marks, &mark))
        return NULL;
    Py_ssize_t count = -1, width = kinds.len, lines = ends.len / (Py_ssize_t)sizeof(int64_t);
    Gap *gaps = NULL;
    if (!PyTuple_Check(texts) || PyTuple_Size(texts) != width + 1 || width > MOST_NUMBERS || marks.len != lines ||
        places.len != 2 * width * (Py_ssize_t)sizeof(int64_t) || mark < 1 || mark > UINT8_MAX ||
        !rising(&ends, text.len)) {
        PyErr_SetString(PyExc_ValueError, "a gap more than numbers, a mark for each line, lines that end in the text");
        goto done;
    }
    Plan plan = {width, NULL, kinds.buf, places.buf, (const int64_t *)places.buf + width, cells.buf};
    if (!in_cells(&plan, lines, cells.len / (Py_ssize_t)sizeof(int64_t))) {
        PyErr_SetString(PyExc_ValueError, "the columns reach beyond the cells");
        goto done;
    }
    plan.gaps = gaps = PyMem_Malloc((size_t)(width + 1) * sizeof(Gap));
    if (!gaps) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i <= width; i++) {
        char *gap;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(texts, i), &gap, &size))
            goto done;
        measure(gaps + i, (const uint8_t *)gap, size);
    }
    Py_BEGIN_ALLOW_THREADS
    count = read_lines(&plan, &text, ends.buf, lines, marks.buf, (uint8_t)mark);
    Py_END_ALLOW_THREADS
done:
    PyMem_Free(gaps);
    PyBuffer_Release(&text);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&kinds);
    PyBuffer_Release(&cells);
    PyBuffer_Release(&places);
    PyBuffer_Release(&marks);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

/* ---- holding ---- */

PyDoc_STRVAR(holding_doc, "holding(text, ends, pairs, buckets, numbers, needles, sets, marks)\n--\n\n"
    "Mark the lines of a text in which one of some needles begins, behind the break in front; returns how many.\n\n"
    "`ends` (int64): where each line's break stands. A needle is a number of sets of 256 bytes, each of which tells which\n"
    "bytes may stand at its place: `needles` (int64) has two numbers for each, of how many sets it is and which of them\n"
    "with the next one is its pair; `sets` are those of all needles, one after another. `pairs`, by the two bytes of a\n"
    "pair, the second one first, are numbers of `buckets` (int64): from its value on up to the next one's, `numbers`\n"
    "(int64) are those of the needles that have such a pair. Bucket 0 has none. `marks`: a byte for each line.");

enum { PAIRS = 1 << 16, SET = 256, STEP = 8 }; /* small: pairs that are looked for are seldom, but not very */

typedef struct {
    const uint8_t *pairs, *sets;
    const int64_t *buckets, *numbers, *needles;
    int64_t *begins; /* of each needle's sets */
} Needles;

static int sound_needles(const Needles *n, Py_ssize_t buckets, Py_ssize_t numbers, Py_ssize_t needles, Py_ssize_t sets) {
    int64_t begin = 0;
    for (Py_ssize_t i = 0; i < needles; i++) {
        int64_t length = n->needles[2 * i], pair = n->needles[2 * i + 1];
        if (length < 2 || length > sets - begin || pair < 0 || pair > length - 2)
            return 0;
        n->begins[i] = begin;
        begin += length;
    }
    for (Py_ssize_t i = 0; i < numbers; i++)
        if (n->numbers[i] < 0 || n->numbers[i] >= needles)
            return 0;
    for (Py_ssize_t i = 0; i < PAIRS; i++)
        if (n->pairs[i] >= buckets)
            return 0;
    return 1;
}

static int pair_at(const uint8_t *text) { return text[0] | text[1] << 8; }

/* Whether a needle has its pair here; it begins at *begin. */
static int needle_at(const Needles *n, const uint8_t *text, Py_ssize_t size, Py_ssize_t at, Py_ssize_t *begin) {
    int bucket = n->pairs[pair_at(text + at)];
    for (int64_t i = n->buckets[bucket]; i < n->buckets[bucket + 1]; i++) {
        int64_t number = n->numbers[i], length = n->needles[2 * number], pair = n->needles[2 * number + 1], j = 0;
        const uint8_t *sets = n->sets + SET * n->begins[number];
        *begin = at - (Py_ssize_t)pair;
        if (*begin < 0 || length > size - *begin)
            continue;
        while (j < length && sets[SET * j + text[*begin + j]])
            j++;
        if (j == length)
            return 1;
    }
    return 0;
}

static Py_ssize_t holding(const Needles *n, const uint8_t *text, Py_ssize_t size, const int64_t *ends, Py_ssize_t lines,
                          uint8_t *marks) {
    Py_ssize_t count = 0, line = 0;
    for (Py_ssize_t i = 0; i < size - 1;) {
        Py_ssize_t stop = size - 1 - i < STEP ? size - 1 : i + STEP, begin;
        uint8_t any = stop - i < STEP;
        for (int j = 0; j < STEP && !(stop - i < STEP); j++)
            any |= n->pairs[pair_at(text + i + j)];
        for (; any && i < stop; i++) {
            if (!n->pairs[pair_at(text + i)] || !needle_at(n, text, size, i, &begin))
                continue;
            begin += text[begin] == '\n'; /* the break in front is the line's before */
            while (line < lines && ends[line] < begin)
                line++;
            if (line == lines)
                return count;
            count += !marks[line];
            marks[line] = 1;
            if (ends[line] - 1 > i) /* what else is in this line does not matter */
                i = (Py_ssize_t)ends[line] - 1;
            if (stop < i)
                stop = i;
        }
        i = stop;
    }
    return count;
}

static PyObject *bytes_holding(PyObject *self, PyObject *args) {
    Py_buffer text, ends, pairs, buckets, numbers, needles, sets, marks;
    Py_ssize_t count = -1, word = (Py_ssize_t)sizeof(int64_t);
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*w*", &text, &ends, &pairs, &buckets, &numbers, &needles, &sets, &marks))
        return NULL;
    Needles n = {pairs.buf, sets.buf, buckets.buf, numbers.buf, needles.buf, PyMem_Malloc((size_t)needles.len + 1)};
    if (!n.begins)
        PyErr_NoMemory();
    else if (pairs.len != PAIRS || buckets.len < 2 * word || needles.len % (2 * word) || sets.len % SET ||
             marks.len != ends.len / word || !rising(&ends, text.len) || !rising(&buckets, numbers.len / word) ||
             !sound_needles(&n, buckets.len / word - 1, numbers.len / word, needles.len / (2 * word), sets.len / SET))
        PyErr_SetString(PyExc_ValueError, "needles of two sets or more, a mark for each line, lines that end in the text");
    else {
        Py_BEGIN_ALLOW_THREADS
        count = holding(&n, text.buf, text.len, ends.buf, ends.len / word, marks.buf);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(n.begins);
    PyBuffer_Release(&text);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&pairs);
    PyBuffer_Release(&buckets);
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&needles);
    PyBuffer_Release(&sets);
    PyBuffer_Release(&marks);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyMethodDef methods[] = {
    {"where", bytes_where, METH_VARARGS, where_doc},
    {"openings", bytes_openings, METH_VARARGS, openings_doc},
    {"cut", bytes_cut, METH_VARARGS, cut_doc},
    {"read", bytes_read, METH_VARARGS, read_doc},
    {"holding", bytes_holding, METH_VARARGS, holding_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "wrkparse._bytes", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__bytes(void) { return PyModule_Create(&module); }
