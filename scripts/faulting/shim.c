/* Counts the calls of a process that change files below one directory, and ends or fails one of them.

   Preloaded (LD_PRELOAD) into Python; Python calls faults_begin and faults_count through ctypes. Calls are counted over
   all threads: strace -e inject counts each thread by itself, and so can't name one call of a process. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char directory[PATH_MAX];
static size_t length;          /* of the directory's path; 0: nothing is counted */
static atomic_long count;
static long fails_at = -1;     /* the call that fails, from 0; -1: none */
static int fails_with;         /* its errno; 0: the process is killed in front of it */
static int stays_full;         /* also fail all later calls that need space */

void faults_begin(const char *below, long at, int error, int full)
{
    snprintf(directory, sizeof directory, "%s/", below);
    fails_at = at, fails_with = error, stays_full = full;
    atomic_store(&count, 0);
    length = strlen(directory);
}

long faults_count(void) { return atomic_load(&count); }

/* Whether the call is to fail; errno says with what. */
static int fails(int needs_space)
{
    long number = atomic_fetch_add(&count, 1);
    int now = number == fails_at || (stays_full && needs_space && fails_at >= 0 && number > fails_at);
    if (!now)
        return 0;
    if (!fails_with)
        kill(getpid(), SIGKILL);
    errno = fails_with;
    return 1;
}

static int path_counts(const char *path) { return length && path && !strncmp(path, directory, length); }

static int file_counts(int file)
{
    char link[64], path[PATH_MAX + 1];
    int before = errno;
    if (!length)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t got = readlink(link, path, PATH_MAX);
    errno = before;
    if (got <= 0)
        return 0;
    path[got] = 0;
    return path_counts(path) || ((size_t)got + 1 == length && !strncmp(path, directory, got));
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define ON_FILE(result, name, declared, given, needs_space) \
    result name declared \
    { \
        REAL(name); \
        if (file_counts(file) && fails(needs_space)) \
            return -1; \
        return real given; \
    }

#define ON_PATH(name, declared, given, path, needs_space) \
    int name declared \
    { \
        REAL(name); \
        if (path_counts(path) && fails(needs_space)) \
            return -1; \
        return real given; \
    }

#define OPEN(name, declared, given, path) \
    int name declared \
    { \
        REAL(name); \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { \
            va_list more; \
            va_start(more, flags); \
            mode = va_arg(more, mode_t); \
            va_end(more); \
        } \
        if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) && path_counts(path) && fails(!!(flags & O_CREAT))) \
            return -1; \
        return real given; \
    }

ON_FILE(ssize_t, write, (int file, const void *data, size_t size), (file, data, size), 1)
ON_FILE(ssize_t, pwrite, (int file, const void *data, size_t size, off_t at), (file, data, size, at), 1)
ON_FILE(ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t at), (file, data, size, at), 1)
ON_FILE(ssize_t, writev, (int file, const struct iovec *data, int many), (file, data, many), 1)
ON_FILE(int, fsync, (int file), (file), 0)
ON_FILE(int, fdatasync, (int file), (file), 0)
ON_FILE(int, ftruncate, (int file, off_t size), (file, size), 1)
ON_FILE(int, ftruncate64, (int file, off64_t size), (file, size), 1)
ON_FILE(int, fallocate, (int file, int how, off_t at, off_t size), (file, how, at, size), 1)
ON_FILE(int, fallocate64, (int file, int how, off64_t at, off64_t size), (file, how, at, size), 1)
ON_PATH(rename, (const char *path, const char *to), (path, to), path, 0)
ON_PATH(renameat, (int from, const char *path, int into, const char *to), (from, path, into, to), path, 0)
ON_PATH(unlink, (const char *path), (path), path, 0)
ON_PATH(unlinkat, (int at, const char *path, int flags), (at, path, flags), path, 0)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), path, 1)
ON_PATH(mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), path, 1)
ON_PATH(rmdir, (const char *path), (path), path, 0)
OPEN(open, (const char *path, int flags, ...), (path, flags, mode), path)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), path)
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode), path)
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode), path)
