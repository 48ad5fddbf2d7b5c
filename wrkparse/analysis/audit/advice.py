"""What each code of the audit means, and what to do."""

from __future__ import annotations

ADVICE: dict[str, str] = {
    # load
    "incomplete": (
        "The report ends before the line that its tool always prints last: the log was cut off, or quotes a part. What "
        "stands there is read, and the rest is missing. Suspect is a report that shows its beginning and lacks what "
        "runs are ranked by: look at the log."
    ),
    "nothing-measured": (
        "No request was completed: there is nothing to rank. Was the server up, the URL right, the time-out long "
        "enough? wrk says nothing of a server that never answers."
    ),
    "nothing-received": (
        "Requests are counted as complete, yet not a byte came back: the server was down (ab -r counts refused "
        "connections too)."
    ),
    "not-a-number": (
        "The tool had no samples to compute this from. wrk2 has no Req/Sec of runs of 10 s or less, which is "
        "harmless; without latencies, measure for longer."
    ),
    "rate-contradiction": (
        "Requests divided by elapsed time are not the printed rate: one of the three was changed, or lines of two "
        "runs were mixed. (ab -w of httpd 2.2.9 to 2.2.34 prints the rate a thousandfold.) Use the log."
    ),
    "transfer-contradiction": (
        "Bytes divided by elapsed time are not the printed rate: one of the three was changed, or lines of two runs "
        "were mixed. (ab -w of httpd 2.2.9 to 2.4.6 prints bytes as KiB.) Use the log."
    ),
    "thread-rate": (
        "Threads times Req/Sec should be the total. In wrk 4 a thread without an answer in a sampling interval of 0.1 "
        "s adds no sample, so stalls and starved connections raise the mean: 5 can say that a fifth of the threads was "
        "served. In wrk 2.2 to 3.1 each thread samples at its own pace, and fast ones weigh more. Where Little's law "
        "is low too, the rate is that of a few connections; see what became of the others."
    ),
    "order-contradiction": (
        "A percentile, mean or minimum lies above what it can't exceed: a number was changed or a unit slipped. Use "
        "the log."
    ),
    "not-as-wrk-prints": (
        "wrk would have printed this number in another unit or with two decimals: the text was edited, or is another "
        "program's that looks like wrk's."
    ),
    "cut-short": (
        "The run ended before its planned time: it was interrupted, or the command is not this run's. Warm-up weighs "
        "more in a short run; measure again."
    ),
    "overran": (
        "The run lasted longer than planned: the load generator's machine was too busy to stop in time, and so "
        "perhaps to send in time. Give it more cores, or fewer threads."
    ),
    "target-missed": (
        "wrk2 could not keep the asked rate: the server, or wrk2, was overloaded, and latencies grow with the length "
        "of the run. Ask for less, or compare throughput only."
    ),
    "target-exceeded": "wrk2 went faster than the asked rate, which it does not do: the rate is not this run's.",
    # law
    "little-law-high": (
        "Mean latency × throughput exceeds the connections. wrk 4 does this by itself: to make up for requests that a"
        " stall held back it adds samples that were not measured (stats_correct), and says so nowhere. Throughput "
        "stands. The requests done took connections / throughput on average; compare that, or use wrk2."
    ),
    "little-law-unexplained": (
        "Mean latency × throughput exceeds the connections by more than the correction of wrk 4 can make of this "
        "maximum. What can: several requests at once on a connection (pipelining by a script), the sampled latencies "
        "of wrk before 4, a number with a slipped unit (ms for µs). Find out which before the latency is used."
    ),
    "little-law-low": (
        "Mean latency × throughput is less than the connections: connections were idle. They starved at the server, "
        "reconnected after each response, waited for a late answer that wrk does not count, were delayed by a script,"
        " or wrk was too busy to send. Latency is that of the lucky ones; the load was less than it says."
    ),
    "backlog": (
        "Mean latency × throughput exceeds the connections: wrk2 counts from when a request was due, and more were "
        "due than connections could carry. The rate was more than was served, for a while or throughout; latency "
        "measures the backlog. Ask for less, or use more connections."
    ),
    "fewer-connections": (
        "Each thread of wrk opens connections / threads, rounded down: fewer were open than the report says. Runs of "
        "equal threads and connections compare; as a scale of load, use the number that was open."
    ),
    "threads-exceed-connections": "wrk refuses more threads than connections: this line is not from this run.",
    "few-connections": (
        "Fewer connections than cores: a connection carries one request at a time, so cores were idle and the rate "
        "measures latency. It is no peak; use more connections for one."
    ),
    "timeouts-impossible": (
        "The run was shorter than the time-out, so no answer came later than that. wrk counts other latencies that it "
        "can't record as time-outs too; these requests are in no latency. See what the server did with them."
    ),
    "max-at-timeout": (
        "wrk 4 drops latencies beyond its time-out (2 s unless --timeout is given): the maximum is that limit, not "
        "the server's, and the tail is cut off. Use a longer --timeout."
    ),
    # errors
    "socket-errors": (
        "Connections failed, or answers came after the time-out. Few weigh little in the rate, but the requests "
        "behind them are in no latency, and each may stand for a connection that waited. From 1 in 10,000 requests on"
        " the tail is not to be trusted, from 1 in 20 the rate is not either. Raise the limits, or lower the load."
    ),
    "non-2xx": (
        "Responses with an error status count as requests done. An error page is cheaper than the page: from 1 in 20 "
        "on the rate is that of errors. Check the URL and the server's log. (wrk counts statuses above 399, ab all "
        "but 2xx: where redirects are what ab is to measure, rank with --include-invalid.)"
    ),
    "failed-requests": (
        "ab counted failures other than a different length; one request may count up to three times. From 1 in 20 on "
        "the run measures failures."
    ),
    "lengths-differ": (
        "Responses were not as long as the first one. For a page whose length varies that is no error (ab -l says "
        "so); else responses broke off."
    ),
    "write-errors": "ab could not send: see the limits of both machines.",
    # network
    "response-size": (
        "Responses of this run are not as large as those of the same server and URL in other runs: error pages, cut "
        "responses, compression, or another page under the same label."
    ),
    "nic-limit": (
        "The responses alone, in Ethernet frames, fill this much of the network's rate: it sets the throughput, and "
        "servers that reach it are equal as far as this run can tell. Do not rank them, nor fit a scaling law through"
        " it. Use a faster network, smaller responses, or one machine."
    ),
    "same-machine": (
        "Server and load generator ran on one machine and took processor time from each other: such rates compare "
        "among themselves only."
    ),
    # processes
    "ab-concurrency": (
        "The mean time per request divided by the one across all requests is the concurrency level, by how ab "
        "computes them: a number was changed or is of another run."
    ),
    "ab-failures": (
        "The causes of failed requests do not add up to their number: a number was changed or is of another run."
    ),
    "ab-incomplete": (
        "ab did not complete the requests it was to make: it was interrupted, or ran into its time limit."
    ),
    "cpu-share": (
        "User and system time divided by elapsed time are not the printed share: a number was changed or is of "
        "another command."
    ),
    "command-failed": "The command failed: its times are those of a failure.",
    "command-killed": (
        "The command was killed, by hand or for want of memory: what it used until then is not what the work takes."
    ),
    "command-ended": (
        "The command was ended from outside, as servers are: its elapsed time is how long it was left running."
    ),
    # traces
    "gc-cpu-clock": (
        "The runtime computes the processor time of a pause as its length times the threads that stood still, a whole"
        " number up to GOMAXPROCS; there is none for these lines. Other output was mixed into them, or they were "
        "edited."
    ),
    "gc-order": (
        "Numbers or times of collections do not rise: a line stands twice in the log, or Go 1.5 printed its lines "
        "after it had released the lock, out of order and some with a later number. Sort by time before intervals are "
        "taken."
    ),
    "gc-missing": (
        "Numbers of collections are missing: lines were lost or torn by other output. Sums and counts are too small; "
        "rates that come from numbers and times stand."
    ),
    "gc-heap": (
        "The live heap is larger than the heap it was marked in, or the heap shrank while it was marked: these lines "
        "were mixed or edited."
    ),
    "sched-idle-waiting": (
        "Ps were idle while goroutines waited in a queue. One such line may be chance (it is printed while the "
        "scheduler moves); many, in a row, say that idle Ps were not woken: bursts of short work, or a lock. See "
        "wrkparse sched."
    ),
    "sched-counts": "More idle Ps than Ps: other output was mixed into these lines.",
}
