/* Which lines hold what a match of a pattern has to: the loop of wrkparse/needles.py. A part of wrkparse._bytes. */
#include "_bytes.h"

const char holding_doc[] = PyDoc_STR("holding(text, ends, pairs, buckets, numbers, needles, sets, marks)\n--\n\n"
    "Mark the lines of a text in which one of some needles begins, behind the break in front; returns how many.\n\n"
    "`ends` (int64): where each line's break stands. A needle is a number of sets of 256 bytes, each of which\n"
    "tells which bytes may stand at its place: `needles` (int64) has two numbers for each, of how many sets it\n"
    "is and which of them with the next one is its pair; `sets` are those of all needles, one after another.\n"
    "`pairs`, by the two bytes of a pair, the second one first, are numbers of `buckets` (int64): from its\n"
    "value on up to the next one's, `numbers` (int64) are those of the needles that have such a pair. Bucket 0\n"
    "has none. `marks`: a byte for each line.");

enum { PAIRS = 1 << 16, SET = 256, STEP = 8 }; /* small: pairs that are looked for are seldom, but not very */

typedef struct {
    const uint8_t *pairs, *sets;
    const int64_t *buckets, *numbers, *needles;
    int64_t *begins; /* of each needle's sets */
} Needles;

static int sound_needles(const Needles *n, Py_ssize_t buckets, Py_ssize_t numbers, Py_ssize_t needles,
                         Py_ssize_t sets) {
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

PyObject *bytes_holding(PyObject *self, PyObject *args) {
    Py_buffer b[8], *text = b, *ends = b + 1, *pairs = b + 2, *buckets = b + 3, *numbers = b + 4, *needles = b + 5,
                    *sets = b + 6, *marks = b + 7;
    Py_ssize_t count = -1;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*w*", text, ends, pairs, buckets, numbers, needles, sets, marks))
        return NULL;
    Needles n = {pairs->buf, sets->buf, buckets->buf, numbers->buf, needles->buf, NULL};
    n.begins = PyMem_Malloc((size_t)needles->len + 1);
    if (!n.begins)
        PyErr_NoMemory();
    else if (pairs->len != PAIRS || buckets->len < 2 * WORD || needles->len % (2 * WORD) || sets->len % SET ||
             marks->len != ends->len / WORD || !rising(ends, text->len) || !rising(buckets, numbers->len / WORD) ||
             !sound_needles(&n, buckets->len / WORD - 1, numbers->len / WORD, needles->len / (2 * WORD),
                            sets->len / SET))
        PyErr_SetString(PyExc_ValueError, "needles have two sets or more, lines a mark each and end in the text");
    else {
        Py_BEGIN_ALLOW_THREADS
        count = holding(&n, text->buf, text->len, ends->buf, ends->len / WORD, marks->buf);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(n.begins);
    return answer(count, b, 8);
}
