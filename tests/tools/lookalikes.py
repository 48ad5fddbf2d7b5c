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
}
