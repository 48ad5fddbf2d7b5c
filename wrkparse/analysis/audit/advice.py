"""What each code of the audit means, and what to do about it."""

from __future__ import annotations

ADVICE: dict[str, str] = {
    # origins
    "copy": (
        "All numbers of this run equal those of an earlier run: a report is quoted twice, or appears under the name of "
        "another setting. It measures nothing new. Leave it out, or find the right log."
    ),
    "restated": (
        "A line states the rate of a report of this source once more, as a summary or a table does, so it counts as no "
        "run. If it is another run that had the same rate, write its command above it."
    ),
    "command-differs": (
        "The command above the report asks for a different load than the report states: the report belongs to another "
        "command, or the command was changed afterwards. The labels follow the report. Find its command."
    ),
    # load
    "incomplete": (
        "The report ends before the line that its tool always prints last: the log was cut off, or quotes only a part. "
        "That part is read, and the rest is missing. The report is suspect if it has its first lines but not the "
        "number by which runs are ranked. Look at the log."
    ),
    "nothing-measured": (
        "No request was completed, so there is nothing to rank. Was the server up, was the URL right, and was the "
        "time-out long enough? wrk does not report a server that never answers."
    ),
    "nothing-received": (
        "Requests count as completed, but not a single byte was received: the server was down (ab -r also counts "
        "refused connections as completed)."
    ),
    "not-a-number": (
        "The tool had no samples to compute this from. wrk2 has no Req/Sec for runs of 10 s or less, which is "
        "harmless. If latencies are missing, measure for longer."
    ),
    "rate-contradiction": (
        "Requests divided by elapsed time do not give the printed rate: one of the three was changed, or lines of two "
        "runs were mixed. (ab -w of httpd 2.2.9 to 2.2.34 prints a rate that is 1000 times too high.) Use the original "
        "log."
    ),
    "kept-responses": (
        "hey keeps the times and statuses of the first 1,000,000 responses. The rate is that of all requests; "
        "percentiles, extremes and counts of statuses are those of the kept responses, and the means that hey prints "
        "are too large (they are left out). If speed may have changed during the run, measure for a shorter time."
    ),
    "transfer-contradiction": (
        "Bytes divided by elapsed time do not give the printed rate: one of the three was changed, or lines of two "
        "runs were mixed. (ab -w of httpd 2.2.9 to 2.4.6 prints bytes as KiB.) Use the original log."
    ),
    "thread-rate": (
        "Threads times Req/Sec should be the total rate. In wrk 4, a thread without a response in a sampling interval "
        "of 0.1 s adds no sample, so stalls and starved connections raise the mean: a ratio of 5 can mean that only a "
        "fifth of the threads was served. In wrk 2.2 to 3.1, each thread samples at its own pace, and fast threads "
        "weigh more. If Little's law is low too, the rate is that of a few connections; find out what happened to the "
        "others."
    ),
    "order-contradiction": (
        "A percentile, mean or minimum is above a number that it can't exceed: a number was changed, or a unit is "
        "wrong. Use the original log."
    ),
    "not-as-wrk-prints": (
        "wrk would have printed this number in another unit or with two decimals: the text was edited, or comes from a "
        "program whose output looks like wrk's."
    ),
    "size-contradiction": (
        "The bytes of all responses are not their number times their size: a number was changed, or lines of two runs "
        "were mixed. Use the original log."
    ),
    "stdev-contradiction": (
        "Numbers between these limits and with this mean can't spread so far (Bhatia and Davis): a deviation, mean or "
        "maximum was changed, or a unit is wrong. Use the original log."
    ),
    "share-contradiction": (
        "A share of the samples is between 0 and 100 %: the number was changed. Use the original log."
    ),
    "latency-exceeds-run": (
        "A request can't take longer than the run that waits for it: the maximum or the elapsed time was changed, or a "
        "unit is wrong (s for ms). Use the original log."
    ),
    "lone-maximum": (
        "The longest request took a hundred times p99 or more: one stall, such as a lost packet that is sent again, or "
        "a number with a wrong unit. wrk 4 adds samples for such a stall; if p99 does not show them, one of the two is "
        "wrong, or wrk is older. The rate stands. Measure latencies again, for longer."
    ),
    "histogram-contradiction": (
        "The table and the footer of wrk2's histogram are printed from the same numbers: one was changed, or lines of "
        "two runs were mixed. Use the original log."
    ),
    "cut-short": (
        "The run ended before its planned time: it was interrupted, or the command belongs to another run. Warm-up "
        "weighs more in a short run. Measure again."
    ),
    "overran": (
        "The run lasted longer than planned: the machine of the load generator was too busy to stop in time, and so "
        "perhaps to send in time. Give it more cores, or use fewer threads."
    ),
    "target-missed": (
        "wrk2 did not reach the requested rate: the server or wrk2 was overloaded, and latencies grow with the length "
        "of the run. Request a lower rate, or compare throughput only."
    ),
    "target-exceeded": (
        "The rate is above the requested one, which wrk2 does not exceed: the requested rate belongs to another run."
    ),
    # concurrency
    "little-law-high": (
        "Mean latency × throughput is above the number of connections. wrk 4 can cause this: to make up for requests "
        "that a stall delayed, it adds samples that were not measured (stats_correct), and does not report it. "
        "Throughput is not affected. Completed requests took connections / throughput on average; compare that, or "
        "use wrk2."
    ),
    "little-law-unexplained": (
        "Mean latency × throughput is above the number of connections, by more than the correction of wrk 4 can "
        "produce from this maximum. Possible causes: several requests at once on a connection (pipelining by a "
        "script), the sampled latencies of wrk before 4, or a wrong unit (ms for µs). Find the cause before you use "
        "the latency."
    ),
    "little-law-low": (
        "Mean latency × throughput is below the number of connections: connections were idle. They starved at the "
        "server, reconnected after each response, waited for a late response that wrk does not count, or were delayed "
        "by a script; or wrk was too busy to send. The latency is that of the connections that were served, and the "
        "load was lower than stated."
    ),
    "backlog": (
        "Mean latency × throughput is above the number of connections: wrk2 measures from when a request was due, and "
        "more requests were due than the connections could carry. The requested rate was above the served rate, for a "
        "while or throughout, so the latency measures the backlog. Request a lower rate, or use more connections."
    ),
    "fewer-connections": (
        "Each thread of wrk opens connections / threads, rounded down: fewer were open than the report says. Runs with "
        "equal threads and connections are comparable. As a measure of load, use the number of open connections."
    ),
    "threads-exceed-connections": "wrk refuses more threads than connections: this line belongs to another run.",
    "few-connections": (
        "There are fewer connections than cores. A connection carries one request at a time, so cores were idle and "
        "the rate is limited by latency. Use more connections to measure the peak."
    ),
    "timeouts-impossible": (
        "The run was shorter than the time-out, so no response came later than that. wrk also counts other latencies "
        "that it can't record as time-outs; the printed latencies do not include these requests. Find out what the "
        "server did with them."
    ),
    "max-at-timeout": (
        "wrk 4 drops latencies beyond its time-out (2 s without --timeout): the maximum is that limit, not the "
        "server's, and the tail is cut off. Use a longer --timeout."
    ),
    # errors
    "socket-errors": (
        "Connections failed, or responses came after the time-out. A few hardly change the rate, but the printed "
        "latencies do not include these requests, and each may stand for a connection that waited. From 1 in 10,000 "
        "requests, do not trust the latencies; from 1 in 100, do not trust the rate; from 1 in 20, the rate is that of "
        "failures. (wrk counts late responses as completed requests, so these alone leave the rate as it is.) Raise "
        "the limits, or lower the load."
    ),
    "connections-closed": (
        "wrk counted about as many failed reads as responses: the server closed each connection after its response "
        "without announcing it. The rate is that of a server without keep-alive; the latencies do not include the time "
        "to connect. Compare it with servers that do the same, or turn on keep-alive."
    ),
    "non-2xx": (
        "Responses with an error status count as completed requests. An error page takes less work than the page, so "
        "from 1 in 20, the rate is that of errors. Check the URL and the server's log. (ab and autocannon also count "
        "redirects; other tools count statuses of 400 or more. If you want to measure redirects, rank with "
        "--include-invalid.)"
    ),
    "failed-requests": (
        "Requests failed. ab counts one up to three times; a different length does not count as a failure here. k6 and "
        "siege also count error responses. From 1 in 20, the run measures failures."
    ),
    "lengths-differ": (
        "Responses were not as long as the first one. If the length of the page varies, that is not an error (use ab "
        "-l). Otherwise responses were cut off."
    ),
    "write-errors": "ab could not send: check the limits of both machines.",
    # network
    "response-size": (
        "The responses of this run differ in size from those of the same server and URL in other runs: error pages, "
        "cut responses, compression, or another page under the same label."
    ),
    "nic-limit": (
        "The responses alone, in Ethernet frames, take this share of the network's rate, so the network limits the "
        "throughput. This run can't show a difference between servers that reach the limit. Do not rank them or fit a "
        "scaling law to them. Use a faster network, smaller responses, or one machine."
    ),
    "same-machine": (
        "Server and load generator ran on one machine and shared its processors: compare such rates only with each "
        "other."
    ),
    # processes
    "ab-concurrency": (
        "ab computes the mean time per request so that, divided by the time across all requests, it is the concurrency "
        "level: a number was changed or belongs to another run."
    ),
    "ab-failures": (
        "The causes of failed requests do not add up to their number: a number was changed or belongs to another run."
    ),
    "ab-incomplete": (
        "ab did not complete the requested number of requests: it was interrupted, or reached its time limit."
    ),
    "cpu-share": (
        "User and system time divided by elapsed time are not the printed share: a number was changed or belongs to "
        "another command."
    ),
    "ab-times": (
        "Time per request across all is the inverse of requests per second: a number was changed or belongs to another "
        "run. Use the original log."
    ),
    "ab-keep-alive": (
        "ab counts keep-alive requests among the complete ones: a number was changed. Use the original log."
    ),
    "ab-percentiles": (
        "ab prints the median as 50 % (for an even number of requests) and the maximum as 100 %, from one sorted list: "
        "a number was changed, or the two tables belong to different runs. Use the original log."
    ),
    "ab-phases": (
        "The total of a request is connect + processing, and waiting is a part of processing: a number in the table "
        "Connection Times was changed, or its rows belong to different runs. Use the original log."
    ),
    "ab-bytes": (
        "The bodies are a part of all bytes, and without failed requests each is as long as the first: a number was "
        "changed. (With keep-alive, responses without a length can end early.) Use the original log."
    ),
    "rss-missing": (
        "A process has some memory, so the kernel did not keep this number (Linux before 2.6.32), or it was changed. "
        "The times are not affected. Do not compare memory."
    ),
    "cpu-above-cores": (
        "The command used more processor time than these cores have: the number of cores or a time is wrong, or the "
        "command used more cores than the label says. Check both."
    ),
    "load-generator-busy": (
        "The load generator used all the processor time that its threads can: the rate is its own limit, not the "
        "server's. Use more threads (wrk -t), or more load generators; ab has one thread."
    ),
    "command-failed": "The command failed: its times are those of a failure.",
    "command-killed": (
        "The command was killed, by hand or because memory ran out: its times are not those of the complete work."
    ),
    "command-ended": (
        "The command was stopped from outside, as servers are: its elapsed time is how long it was left running."
    ),
    # Go traces
    "gc-cpu-clock": (
        "The runtime computes the processor time of a pause as its length times the number of stopped threads, an "
        "integer up to GOMAXPROCS. No such integer fits these lines. Other output was mixed into them, or they were "
        "edited."
    ),
    "gc-order": (
        "Numbers or times of collections do not rise: a line is in the log twice, or Go 1.5 printed its lines after it "
        "had released the lock, out of order and some with a later number. Sort by time before you compute intervals."
    ),
    "gc-missing": (
        "Numbers of collections are missing: lines were lost or damaged by other output. Sums and counts are too low. "
        "Rates that come from numbers and times are not affected."
    ),
    "gc-heap": (
        "The live heap is larger than the heap at mark termination, or the heap shrank while it was marked: other "
        "output was mixed into these lines, or they were edited."
    ),
    "gc-overlap": (
        "A collection begins after the previous one has ended: a phase or a time was changed, or lines of two "
        "processes are mixed."
    ),
    "gc-go-run": (
        "The go command, the compiler and the linker get the same GODEBUG and print traces as well, and a trace does "
        "not say whose it is. Build the program first, and run the binary: go build -o kiwi . && GODEBUG=gctrace=1 "
        "./kiwi"
    ),
    "gc-workers": (
        "At most GOMAXPROCS goroutines mark at a time, so their time is at most GOMAXPROCS times the cycle: a number "
        "was changed, or other output was mixed in."
    ),
    "gc-cpu-share": (
        "The share is of the processor time since the start, so it changes by no more than the time that passed: a "
        "share or a time was changed, or lines of two processes are mixed."
    ),
    "gc-procs": (
        "GOMAXPROCS changed for a single collection: the line belongs to another process, or was changed; rarely, the "
        "program or a change of its CPU limit sets GOMAXPROCS."
    ),
    "gc-objects": (
        "Objects on the heap are allocations minus frees: other output was mixed into these lines, or they were edited."
    ),
    "gc-clock": (
        "The trace continues with the next number, but at an earlier time: a time was changed, or lines of another "
        "process follow. It is read as two runs."
    ),
    "sched-order": "schedtrace prints one line per period, and this line is in the log twice. Leave one out.",
    "sched-ticks": (
        "A P counts the goroutines that it executes, and the count fell: lines of two processes are mixed, out of "
        "order, or were edited."
    ),
    "sched-clock": (
        "A trace begins at 0 ms, and this one continues at an earlier time than the line before: a time was changed, "
        "or lines of another process follow. It is read as two runs."
    ),
    "sched-idle-waiting": (
        "Ps were idle while goroutines waited in a queue. One such line may be chance, because the scheduler moves "
        "while it is printed. Many in a row show that idle Ps were not woken: bursts of short work, or a lock. See "
        "wrkparse sched."
    ),
    "sched-counts": (
        "There are more idle Ps than Ps, more idle or spinning threads than threads, or the number of queues differs "
        "from the number of Ps: other output was mixed into these lines, or they were edited."
    ),
    # several runs
    "repeat-outlier": (
        "One run is far from the other runs of its setting, which agree: something else used the machine, or the run "
        "belongs to another setting. Find out what, or repeat it; do not average over it."
    ),
    "repeats-differ": (
        "Runs with the same labels differ by more than half: they are not repeats of each other, or the measurement is "
        "not repeatable. Look for a missing label, or measure again."
    ),
    "repeat-drift": (
        "The runs of this setting become faster or slower from one to the next: a cache that warms up, a machine that "
        "heats up, a log or table that grows. Their median depends on when you stopped. Repeat in random order."
    ),
    "shared-plateau": (
        "Several servers have the same rate under one load, and none is faster: the network, the load generator or its "
        "number of connections limits them. Do not rank them. Use a stronger load generator or more connections."
    ),
}
