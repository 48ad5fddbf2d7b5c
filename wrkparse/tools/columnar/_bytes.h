/* What the loops of wrkparse._bytes share. */
#ifndef WRKPARSE_BYTES_H
#define WRKPARSE_BYTES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define WORD ((Py_ssize_t)sizeof(int64_t))

static inline void release(Py_buffer *buffers, int count) {
    while (count--)
        PyBuffer_Release(buffers + count);
}

/* A count, or NULL for -1, once the buffers are let go. */
static inline PyObject *answer(Py_ssize_t count, Py_buffer *buffers, int buffers_count) {
    release(buffers, buffers_count);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

/* A buffer of int64 of which all lie between 0 and `most`, in rising order. */
static inline int rising(const Py_buffer *buffer, Py_ssize_t most) {
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

extern const char holding_doc[];
PyObject *bytes_holding(PyObject *self, PyObject *args);

#endif
