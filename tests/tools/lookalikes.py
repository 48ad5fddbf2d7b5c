"""What other load generators print, each as its own source or documentation has it; nothing of it is ours to read."""

LOOKALIKES = {
    "autocannon without its head": "852 requests in 1.01s, 4.11 MB read\n",
    "drill": """\
Time taken for tests      13.4 seconds
Total requests            1000
Successful requests       1000
Failed requests           0
Requests per second       74.51 [#/sec]
Median time per request   268ms
99.0'th percentile        274ms
""",
    "go-wrk": """\
Running 5s test @ http://127.0.0.1:8000/hello
  80 goroutine(s) running concurrently
94571 requests in 4.912792899s, 10.01MB read
Requests/sec:\t\t19249.95
Transfer/sec:\t\t2.04MB
Avg Req Time:\t\t4.155855ms
Number of Errors:\t0
""",
    "go-wrk without its head": "94571 requests in 4.912792899s, 10.01MB read\nRequests/sec:\t\t19249.95\nTransfer/sec:\t\t2.04MB\n",
    "rewrk": """\
Benchmarking 60 connections @ http://127.0.0.1:5000 for 5 seconds
  Latencies:
    Avg      Stdev    Min      Max
    3.27ms   0.40ms   1.95ms   9.39ms
  Requests:
    Total:  91281  Req/Sec: 18227.81
  Transfer:
    Total: 1.13 MB Transfer Rate: 231.00 KB/Sec
""",
    "Locust": """\
Type     Name          # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s
--------|------------|-------|-------------|-------|-------|-------|-------|--------|-----------
GET      /                500     0(0.00%) |     12       3      98     11 |   49.80        0.00
""",
    "httperf": """\
Total: connections 100 requests 100 replies 100 test-duration 1.002 s

Connection rate: 99.8 conn/s (10.0 ms/conn, <=2 concurrent connections)
Request rate: 99.8 req/s (10.0 ms/req)
""",
    "boom": """\
-------- Results --------
Successful calls        1000
Total time              1.2345 s
Average                 0.0123 s
Requests Per Second     810.04
""",
    "ZeusBench": """\
This is ZeusBench v1.0

Concurrency Level:      10
Time taken for tests:   2.000 seconds
Complete requests:      1000
Failed requests:        0
Requests per second:    500.00
""",
    "Artillery": """\
All VUs finished. Total time: 11 seconds

--------------------------------
Summary report @ 14:03:11(+0000)
--------------------------------

http.codes.200: ................................................................ 100
http.request_rate: ............................................................. 10/sec
http.requests: ................................................................. 100
http.response_time:
  min: ......................................................................... 1
  max: ......................................................................... 8
  mean: ........................................................................ 2
vusers.completed: .............................................................. 100
""",
    "Gatling": """\
================================================================================
---- Global Information --------------------------------------------------------
> request count                                        100 (OK=100    KO=0     )
> min response time                                      1 (OK=1      KO=-     )
> mean response time                                     3 (OK=3      KO=-     )
> mean requests/sec                                     10 (OK=10     KO=-     )
================================================================================
""",
    "Nighthawk": """\
Nighthawk - A layer 7 protocol benchmarking tool.

benchmark_http_client.latency_2xx (9999 samples)
  min: 0s 000ms 080us | mean: 0s 000ms 100us | max: 0s 001ms 000us | pstdev: 0s 000ms 010us
""",
    "cassowary": """\
 TCP Connect.....................: Avg/mean=1.00ms 	Median=1.00ms	p(95)=2.00ms
 Req/s...........................: 12.00
""",
    "Goose": """\
 === PER REQUEST METRICS ===
 Name                     |        # reqs |        # fails |    req/s |  fail/s
""",
    "http_load": """\
100 fetches, 10 max parallel, 1e+06 bytes, in 1.0 seconds
100 fetches/sec, 1e+06 bytes/sec
""",
    "plow": """\
Benchmarking http://127.0.0.1:8080 using 10 connection(s).
Summary:
  Elapsed     10s
  Count   120000
  2xx     120000
  RPS   12000.1
  Reads    1.1MB/s
Statistics    Min     Mean    StdDev    Max
  Latency    30us    200us    100us     10ms
""",
    "ghz": """\
Summary:
  Count:	200
  Total:	181.57 ms
  Slowest:	69.60 ms
  Fastest:	26.09 ms
  Average:	32.01 ms
  Requests/sec:	1101.53

Response time histogram:
  26.093 [1]	|
""",
    "hyperfine": """\
Benchmark 1: sleep 1
  Time (mean ± σ):      1.002 s ±  0.001 s    [User: 0.7 ms, System: 1.2 ms]
  Range (min … max):    1.001 s …  1.004 s    10 runs
""",
    "redis-benchmark": """\
====== SET ======
  100000 requests completed in 0.89 seconds
  50 parallel clients
  3 bytes payload
112359.55 requests per second
""",
    "memtier_benchmark": """\
ALL STATS
Type         Ops/sec     Hits/sec   Misses/sec    Avg. Latency     p50 Latency
Sets         1000.00          ---          ---         1.0         1.0
Totals      11000.00       0.00    10000.00         1.0         1.0
""",
    "pgbench": """\
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 10
number of clients: 10
latency average = 1.2 ms
tps = 8000.123 (without initial connection time)
""",
    "weighttp": """\
weighttp - a lightweight and simple webserver benchmarking tool

spawning thread #1: 50 concurrent requests, 5000 total requests
progress: 100% done

finished in 0 sec, 733 millisec and 120 microsec, 13640 req/s, 2211 kbyte/s
requests: 10000 total, 10000 started, 10000 done, 10000 succeeded, 0 failed, 0 errored
status codes: 10000 2xx, 0 3xx, 0 4xx, 0 5xx
""",
    "sysbench": """\
sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)
SQL statistics:
    queries performed:
        read:                            140000
    transactions:                        10000  (999.50 per sec.)
Latency (ms):
         min:                                    0.50
         95th percentile:                        1.50
""",
}
