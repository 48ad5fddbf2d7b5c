/* Which lines hold what a match of a pattern has to: the loop of wrkparse/needles.py. A part of wrkparse._bytes. */
#include "_bytes.h"

const char holding_doc[] = PyDoc_STR("holding(text, ends, pairs, buckets, numbers, needles, sets, marks)\n--\n\n"
    "Mark the lines of a text in which one of some needles stands, the break in front with them; returns how\n"
    "many.\n\n"
    "`ends` (int64): where each line's break stands. `marks`: a byte for each line; lines with 0 are looked at,\n"
    "and get 1. A needle is a number of sets of 256 bytes, each of which tells which bytes may stand at its\n"
    "place: `needles` (int64) has two numbers for each, of how many sets it is and which of them with the next\n"
    "one is its pair; `sets` are those of all needles, one after another. `pairs`, by the two bytes of a pair,\n"
    "the second one first, are numbers of `buckets` (int64): from its value on up to the next one's, `numbers`\n"
    "(int64) are those of the needles that have such a pair. Bucket 0 has none.");

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

/* Whether a needle has its pair here. */
static int needle_at(const Needles *n, const uint8_t *text, Py_ssize_t size, Py_ssize_t at) {
    int bucket = n->pairs[pair_at(text + at)];
    for (int64_t i = n->buckets[bucket]; i < n->buckets[bucket + 1]; i++) {
        int64_t number = n->numbers[i], length = n->needles[2 * number], pair = n->needles[2 * number + 1], j = 0;
        const uint8_t *sets = n->sets + SET * n->begins[number];
        if (pair > at || length - pair > size - at)
            continue;
        while (j < length && sets[SET * j + text[at - pair + j]])
            j++;
        if (j == length)
            return 1;
    }
    return 0;
}

/* Whether a needle stands in a line of so many bytes, the break in front and its own one with it. */
static int in_line(const Needles *n, const uint8_t *text, Py_ssize_t size) {
    for (Py_ssize_t i = 0; i < size - 1;) {
        Py_ssize_t stop = size - 1 - i < STEP ? size - 1 : i + STEP;
        uint8_t any = stop - i < STEP;
        for (int j = 0; j < STEP && !(stop - i < STEP); j++)
            any |= n->pairs[pair_at(text + i + j)];
        for (; any && i < stop; i++)
            if (n->pairs[pair_at(text + i)] && needle_at(n, text, size, i))
                return 1;
        i = stop;
    }
    return 0;
}

static Py_ssize_t holding(const Needles *n, const uint8_t *text, const int64_t *ends, Py_ssize_t lines,
                          uint8_t *marks) {
    Py_ssize_t count = 0, begin = 0;
    for (Py_ssize_t line = 0; line < lines; line++) {
        if (!marks[line] && in_line(n, text + begin, (Py_ssize_t)ends[line] + 1 - begin)) {
            marks[line] = 1;
            count++;
        }
        begin = (Py_ssize_t)ends[line];
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
             marks->len != ends->len / WORD || !rising(ends, text->len - 1) || !rising(buckets, numbers->len / WORD) ||
             !sound_needles(&n, buckets->len / WORD - 1, numbers->len / WORD, needles->len / (2 * WORD),
                            sets->len / SET))
        PyErr_SetString(PyExc_ValueError, "needles have two sets or more, lines a mark each and end in the text");
    else {
        Py_BEGIN_ALLOW_THREADS
        count = holding(&n, text->buf, ends->buf, ends->len / WORD, marks->buf);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(n.begins);
    return answer(count, b, 8);
}
