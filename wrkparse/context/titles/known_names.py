"""Finds the words of a title that name the framework: the server, framework or language that was measured.

A wrong name is worse than none, because the run would count as a repeat of another framework. So a title is a name only
if it contains a word of the lists below and reads like a name, not like a sentence or an instruction: ``## nginx +
PHP`` → framework=nginx + PHP, ``## How to tune nginx`` → none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

# Distinct names: words without another meaning.
_DISTINCT_NAMES = frozenset(
    """actix actix-web aiohttp akka akka-http asp.net aspnet aspnetcore axum beego bjoern blacksheep cherrypy
    civetweb codeigniter cpprestsdk cppserver deno django dotnet dropwizard drogon elixir elysia envoy erlang
    express.js expressjs fasthttp fastapi fasthttprouter fastify gnet goji golang gorilla/mux grizzly gunicorn h2o
    haproxy haskell helidon hertz hono httprouter hypercorn japronto jetty jooby jruby kestrel kotlin ktor laravel
    libevent libreactor libuv lighttpd litestar lithium litespeed luajit lumen lwan micronaut mongoose netty nestjs
    next.js nginx nginx-plus node.js nodejs nuster nuxt ocaml openjdk openlitespeed openresty php php-fpm pm2 pypy
    python quarkus rapidoid reactor-netty restify roadrunner robyn sanic scala scotty seastar servant sinatra
    snap-server spring-boot springboot starlette swoole symfony tokio tomcat traefik twisted undertow uvicorn
    uwebsockets uwsgi varnish vert.x vertx vibora waitress warpdrive webflux werkzeug workerman yaws yesod
    zend""".split()
)
# Names that are also words of English or of programming. A title is one if all its words are names or qualifiers.
_AMBIGUOUS_NAMES = frozenset(
    """ada apache bandit bottle bun c# c++ caddy chi clojure cowboy crow crystal dart echo express falcon fiber flask
    gin go hapi hyper iris java javascript julia js koa lua meteor mio nim node perl phoenix play pony puma racket rails
    resin rocket ruby rust slim spray spring stdio swift tengine thin tide tornado typescript unicorn warp wai
    xitrum yesod zap zig""".split()
)
_KNOWN_NAMES = _DISTINCT_NAMES | _AMBIGUOUS_NAMES
_QUALIFIER_WORDS = frozenset(
    """api app application async asyncio backend baseline basic behind blocking boot c10k cache cached child cluster
    cluster-mode clustered compiled connection core coroutine cores cpu daemon debug default dev disabled docker
    edge embedded enabled epoll event evented fastcgi fcgi fibers fork forked framework frontend gc gzip hello
    http http/1.1 http/2 http1 http2 http3 https io io_uring ipv4 ipv6 iouring jit json keepalive keep-alive
    kqueue lts lb malloc mode multi multi-core multi-process multi-threaded multicore multiprocess multithreaded
    mux native net net/http nonblocking off on optimised optimized original path patched pipelining plain
    plaintext pool prefork process processes prod production proxied proxy pure quic raw release reverse router
    runtime scgi script select server servers service single single-core single-process single-threaded
    singlethreaded socket sockets ssl standalone standard static std stdlib sync tcp thread threaded threads
    through tls tuned udp unix unoptimized upstream uv v vanilla via web websocket websockets webserver with
    without w/ w/o workers world wsgi asgi + / | -> → => @ - – — :""".split()
)
# Qualifiers that name the response of a server: after a dash they are not part of the name.
_TASK_WORDS = frozenset("hello json plain plaintext static world".split())
# Words of a title that announce the text below it, and are not part of the name.
SECTION_WORDS = frozenset(
    """result results benchmark benchmarks bench output outputs test tests trace traces numbers report raw performance
    run runs 结果 結果 测试 测试结果""".split()
)
# Words of sentences, instructions and comparisons: a title with one of them is not a name.
_PROSE_WORDS = frozenset(
    """a about add added adding all am an and any are as at authors be because been before best better between build
    building but by can change changed changes changelog check clone code comparison compare compared comparing
    config configuration configure configuring contribute contributing could course create credits dependencies
    deploy deploying deployment differences do docs documentation does doing don't download during easy environment
    example examples faq fast faster feature features file files first fix for from further get getting good guide
    hard has have help here hints home hope how i if import in info install installation installing installed
    internals into introduction is issue issues it it's its know learn learning let let's library license links live
    make making me more most move my new next no not notes now of or our out overview package part please post
    prepare prerequisites problem problems project quick quickstart read readme requirements roadmap run running see
    set setting settings setup should show slow slower some source specs start started starting status step stop
    summary support switch system than that the their them there they things this tips to todo tool tools tutorial
    try tuning update upgrade usage use used using versions vs vs. versus was way we were what when where which
    while who why will work working would write writing wrong you your 比較 对比 比较 安装 & version""".split()
)
# Words at the beginning of a sentence that continues with a name: "And now nginx", "Und jetzt mit nginx".
_CONNECTIVES = frozenset(
    """and then now next finally lastly und dann jetzt nun zuerst zuletzt hier das die ergebnis ergebnisse mit
    et puis ensuite maintenant voici avec ahora luego aquí los con ora poi ecco agora depois aqui com""".split()
)
# Last words of a title that names a class of things: "PHP web framework", "Go servers".
_CLASS_NOUNS = frozenset("framework frameworks servers languages backends".split())
# Words between two names if one runs in the other: "Flask inside of Gunicorn".
_HOSTING_WORDS = frozenset("in inside of on".split())
_SENTENCE_WORDS = _PROSE_WORDS - SECTION_WORDS - {"with", "on"}
# Words of Chinese sentences about results, which names do not contain: "as follows", "the result is", "we", "now",
# "example 2".
_CHINESE_SENTENCE = re.compile(
    r"^例\s?[0-9一二三四五]|如下|结果|我们|这时|其中|然后|再次|重新|执行|可以|如何|怎么|怎样|[，。；]"
)
_LONG_DASH = re.compile(r"\s[–—]\s")  # a description follows: "Rocket – a web framework for Rust"
_NAME_SEPARATOR = re.compile(r"[/→+|]|->")
_END_SIGNS = "()[]{}<>:：,，;*_`'\"“”（）"
# A version that is one number, as in "java8", has up to three digits: "go10492" is the number of an issue.
_NAME_WITH_VERSION = re.compile(
    r"([a-z][a-z.#+-]{0,40}?)[-_/@(]?v?(?:[0-9]{1,3}|[0-9]{1,9}\.[0-9.x]*)(?:-?(?:alpha|beta|rc|dev|lts)[0-9.]*)?",
    re.IGNORECASE,
)
_VERSION = re.compile(r"v?[0-9][\w.+-]*", re.IGNORECASE)


def is_known_name(word: str) -> bool:
    """Whether a word names a server, a framework or a language, alone or with its version: ``nginx(1.12)``."""
    word = word.strip(_END_SIGNS).lower()
    match = _NAME_WITH_VERSION.fullmatch(word)
    name = match[1] if match else ""
    return word in _DISTINCT_NAMES or word in _AMBIGUOUS_NAMES or name in _DISTINCT_NAMES or name in _AMBIGUOUS_NAMES


_KEYS_OF_RUNTIMES = {
    "go_version": "go golang",
    "node": "node nodejs",
    "python": "py python cpython pypy",
    "ruby": "ruby jruby truffleruby mri",
    "java": "java jdk openjdk",
    "rust": "rust rustc",
    "erlang": "erlang otp",
}
_RUNTIMES_AS_KEYS = "bun clang deno dotnet elixir gcc ghc julia luajit ocaml perl php scala swift zig"
# Languages and their runtimes, with the keys of labels for their versions.
RUNTIMES = {name: key for key, names in _KEYS_OF_RUNTIMES.items() for name in names.split()} | {
    name: name for name in _RUNTIMES_AS_KEYS.split()
}
_RUNTIME = re.compile(
    rf"(?:erlang/)?({'|'.join(sorted(RUNTIMES, key=len, reverse=True))})(?:\.js)?[ -]?v?([0-9][\w.]*)", re.IGNORECASE
)
_RUNTIME_SEPARATOR = re.compile(r",|;|\s[/|+]\s|\band\b")


def runtimes_in(title: str) -> list[tuple[str, str]]:
    """The keys and versions of the runtimes in a title; empty if the title contains anything else.

    ``Elixir 1.0.2, Erlang/OTP 17.4`` → elixir and erlang.
    """
    found = [_RUNTIME.fullmatch(part.strip()) for part in _RUNTIME_SEPARATOR.split(title)]
    return [(RUNTIMES[match[1].lower()], match[2]) for match in found if match] if all(found) else []


def has_known_name(words: Iterable[str]) -> bool:
    """Whether one of some words in lower case is a known name; a quick test for words of letters and hyphens."""
    return not _KNOWN_NAMES.isdisjoint(words)


def is_prose(title: str) -> bool:
    """Whether a title has a word of sentences, which names do not have. A quick test before `framework_name`."""
    title = _without_description(title)
    words = title.lower().split()
    says = bool(_CHINESE_SENTENCE.search(title)) or not _SENTENCE_WORDS.isdisjoint(words)
    return says and not _names_hosted_framework(words)


def framework_name(title: str) -> str | None:
    """The framework that a title names: ``Nginx + Go through HTTP``; None for ``How to go faster``.

    Every word must be part of a name: a known name, a version, or a qualifier such as *prefork* or *standalone*. Beside
    a distinct name (nginx) other words are allowed, except words of sentences.
    """
    words = _without_description(title.removeprefix("./")).split()  # "./gin v1.9"
    while len(words) > 1 and words[0].strip(_END_SIGNS).lower() in _CONNECTIVES:
        del words[0]
    if not words or words[0].startswith(("<", "|", "-", "$")):
        return None
    plain = [word.strip(_END_SIGNS).lower() for word in words]
    if _names_hosted_framework(plain):
        return " ".join(words)
    if not _PROSE_WORDS.isdisjoint(plain) or plain[-1] in _CLASS_NOUNS or not any(map(_contains_known_name, plain)):
        return None
    if not any(map(_contains_distinct_name, plain)) and not all(map(_may_be_qualifier, plain)):
        return None
    return " ".join(words).strip(":： ,，")


def _names_hosted_framework(words: Sequence[str]) -> bool:
    """Whether words are known names with words that say that one runs in the other: ``flask inside of gunicorn``."""
    if _HOSTING_WORDS.isdisjoint(words) or not (is_known_name(words[0]) and is_known_name(words[-1])):
        return False
    return all(word in _HOSTING_WORDS or is_known_name(word) for word in words)


def _without_description(title: str) -> str:
    """A title without the words after a long dash, unless they are part of a name: ``Go – net/http`` stays whole."""
    front, *behind = _LONG_DASH.split(title, maxsplit=1)
    words = [word.strip(_END_SIGNS).lower() for word in behind[0].split()] if behind else []
    return title if all(_may_be_qualifier(word) and word not in _TASK_WORDS for word in words) else front


@functools.lru_cache(maxsize=1024)  # a page repeats the headings of its sections
def has_other_words(title: str) -> bool:
    """Whether a title has words other than names and versions: ``Go web server`` has, ``nginx 1.12 + PHP`` has not."""
    return not all(
        _contains_known_name(word) or _VERSION.fullmatch(word)
        for word in map(_fold_word, title.split())
        if any(map(str.isalnum, word))
    )


def _fold_word(word: str) -> str:
    """A word in lower case without the signs at its ends."""
    return word.strip(_END_SIGNS).lower()


def _stacked_names(word: str) -> list[str]:
    """A word and, if it combines names (``Python/Flask``), each of them."""
    if word.isalnum():
        return [word]
    return [word, *(part.strip(_END_SIGNS) for part in _NAME_SEPARATOR.split(word) if part)]


@functools.lru_cache(maxsize=1024)  # the titles of a page share their words
def _contains_known_name(word: str) -> bool:
    """Whether a word is a known name or combines one with others."""
    return any(map(is_known_name, _stacked_names(word)))


def _contains_distinct_name(word: str) -> bool:
    """Whether a word is a distinct name or combines one with others."""
    for part in _stacked_names(word):
        match = _NAME_WITH_VERSION.fullmatch(part)
        if part in _DISTINCT_NAMES or (match is not None and match[1].lower() in _DISTINCT_NAMES):
            return True
    return False


def _may_be_qualifier(word: str) -> bool:
    """Whether a word may be part of a name beside a name that is also a word of English."""
    return not word or word in _QUALIFIER_WORDS or _VERSION.fullmatch(word) is not None or _contains_known_name(word)
