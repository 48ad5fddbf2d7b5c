// The way that Go's own tools for these lines work: a regular expression for each line, strconv for each number.
// Prints how many lines matched, the sum of each column in thousandths, and the processor time that it took.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"syscall"
)

var line = regexp.MustCompile(`gc (\d+) @([\d.]+)s (\d+)%: ([\d.]+)\+([\d.]+)\+([\d.]+) ms clock, ` +
	`([\d.]+)\+([\d.]+)/([\d.]+)/([\d.]+)\+([\d.]+) ms cpu, (\d+)->(\d+)->(\d+) MB, (\d+) MB goal, ` +
	`(\d+) MB stacks, (\d+) MB globals, (\d+) P( \(forced\))?$`)

const numbers = 18

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var columns [numbers][]float64
	scanner := bufio.NewScanner(file)
	scanner.Buffer(make([]byte, 1<<20), 1<<26)
	for scanner.Scan() {
		match := line.FindStringSubmatch(scanner.Text())
		if match == nil {
			continue
		}
		for i := range columns {
			number, err := strconv.ParseFloat(match[i+1], 64)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			columns[i] = append(columns[i], number)
		}
	}
	if err := scanner.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	var sums [numbers]int64
	for i, column := range columns {
		for _, number := range column {
			sums[i] += int64(math.Round(number * 1000))
		}
	}
	answer := map[string]any{"rows": len(columns[0]), "sums": sums, "cpu_s": seconds(used.Utime) + seconds(used.Stime)}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		os.Exit(1)
	}
}
