"""Which words of a title name the server, framework or language that was measured.

A wrong name is worse than none: it puts a run among another's replicates. So a title is believed only if it holds a
name from the list below and reads like a name, not like a sentence or an instruction.
"""

from __future__ import annotations

import re

# Names that mean nothing else.
_DISTINCT = frozenset(
    """actix actix-web aiohttp akka akka-http asp.net aspnet aspnetcore axum beego bjoern blacksheep cherrypy
    civetweb codeigniter cpprestsdk cppserver deno django dotnet dropwizard drogon elixir elysia envoy erlang
    express.js expressjs fasthttp fastapi fasthttprouter fastify gnet goji golang gorilla/mux grizzly gunicorn h2o
    haproxy haskell helidon hertz hono httprouter hypercorn japronto jetty jooby jruby kestrel kotlin ktor laravel
    libevent libreactor libuv lighttpd lithium litespeed luajit lumen lwan micronaut mongoose netty nestjs next.js
    nginx nginx-plus node.js nodejs nuster nuxt ocaml openjdk openlitespeed openresty php php-fpm pm2 pypy python
    quarkus rapidoid reactor-netty restify roadrunner sanic scala scotty seastar servant sinatra snap-server
    spring-boot springboot starlette swoole symfony tokio tomcat traefik twisted undertow uvicorn uwebsockets
    uwsgi varnish vert.x vertx vibora waitress warpdrive webflux werkzeug workerman yaws yesod zend""".split()
)
# Names that are words of English or of programming too: believed beside a version, each other, or a qualifier.
_AMBIGUOUS = frozenset(
    """apache bandit bottle bun c# c++ caddy chi clojure cowboy crow crystal dart echo express falcon fiber flask gin
    go hapi hyper iris java javascript julia koa lua meteor mio nim node perl phoenix play pony puma racket rails
    resin rocket ruby rust slim spray spring stdio swift tengine thin tide tornado typescript unicorn warp wai
    xitrum yesod zap zig""".split()
)
_QUALIFIERS = frozenset(
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
# Titles around results say so; that is no part of the name.
SECTION_WORDS = frozenset(
    """result results benchmark benchmarks bench output outputs test tests trace traces numbers report raw performance
    run runs 结果 結果 测试 测试结果""".split()
)
# Words of sentences, of instructions and of comparisons: what they stand in is no name.
_PROSE = frozenset(
    """a about add all am an and any are as at authors be because been before best better between build building but
    by can change changes changelog check clone code comparison compare compared comparing config configuration
    configure configuring contribute contributing could course create credits dependencies deploy deploying
    deployment differences do docs documentation does doing don't download during easy environment example
    examples faq fast faster feature features file files first fix for from further get getting good guide hard
    has have help here hints home hope how i if import in info install installation installing installed internals
    into introduction is issue issues it it's its know learn learning let let's library license links live make
    making me more most move my new next no not notes now of or our out overview package part please post prepare
    prerequisites problem problems project quick quickstart read readme requirements roadmap run running see set
    setting settings setup should show slow slower some source specs start started starting status step stop
    summary support switch system than that the their them there they things this tips to todo tool tools tutorial
    try tuning update upgrade usage use used using versions vs vs. versus was way we were what when where which
    while who why will work working would write writing wrong you your 比較 对比 比较 安装 & version""".split()
)
_SURELY_PROSE = _PROSE - SECTION_WORDS - {"with", "on"}
_STACKED = re.compile(r"[/→+|]|->")
_EDGES = "()[]{}<>:：,，;*_`'\"“”（）"
_VERSIONED = re.compile(
    r"([a-z][a-z.#+-]{0,40}?)[-_/@]?v?[0-9][0-9.x]*(?:-?(?:alpha|beta|rc|dev|lts)[0-9.]*)?", re.IGNORECASE
)
_VERSION = re.compile(r"v?[0-9][\w.+-]*", re.IGNORECASE)
_MOST_WORDS = 8


def known_name(word: str) -> bool:
    """Whether a word names a server, a framework or a language, with or without a version glued to it."""
    word = word.strip(_EDGES).lower()
    match = _VERSIONED.fullmatch(word)
    return any(name in _DISTINCT or name in _AMBIGUOUS for name in (word, match[1] if match else ""))


def is_prose(title: str) -> bool:
    """Whether a title can be told at once to be none of what was measured, by a word that is never part of a name."""
    return not _SURELY_PROSE.isdisjoint(title.lower().split())


def measured(title: str) -> str | None:
    """The name of what was measured, if a title is one: ``Nginx + Go through HTTP`` is, ``How to go faster`` is not.

    Every word must belong to a name: known names, versions, and qualifiers such as *prefork* or *standalone*. Beside a
    name that means nothing else (nginx) other words are let pass unless they are those of a sentence.
    """
    title = title.strip().rstrip(":： ")
    words = title.split()
    while len(words) > 1 and words[-1].lower().strip(_EDGES) in SECTION_WORDS:
        words.pop()
    if not words or len(words) > _MOST_WORDS or title.endswith(("?", "!", ".", "。", "？", "！", "…")):
        return None
    plain = [word.strip(_EDGES).lower() for word in words]
    if any(word in _PROSE for word in plain) or words[0].startswith(("<", "|", "-", "$")):
        return None
    if not any(_is_name(word) for word in plain):
        return None
    sure = any(_is_distinct(word) for word in plain)
    if not sure and not all(_fits(word) for word in plain):
        return None
    return " ".join(words).strip(":： ,，")


def _parts(word: str) -> list[str]:
    return [word, *(part.strip(_EDGES) for part in _STACKED.split(word) if part)]


def _is_name(word: str) -> bool:
    return any(known_name(part) for part in _parts(word))


def _is_distinct(word: str) -> bool:
    for part in _parts(word):
        match = _VERSIONED.fullmatch(part)
        if part in _DISTINCT or (match is not None and match[1].lower() in _DISTINCT):
            return True
    return False


def _fits(word: str) -> bool:
    """Whether a word may stand beside a name that is also a word of English."""
    return not word or word in _QUALIFIERS or _VERSION.fullmatch(word) is not None or _is_name(word)
