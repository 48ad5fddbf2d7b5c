// Server answers with a list of books as JSON, made in one of two ways. The logs beside it are of this program.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"
)

type book struct {
	ID    int     `json:"id"`
	Title string  `json:"title"`
	Price float64 `json:"price"`
	Stock bool    `json:"stock"`
	Shelf *shelf  `json:"shelf"`
}

type shelf struct {
	Row    int    `json:"row"`
	Letter string `json:"letter"`
}

// books makes a new list for each request, as a server that reads from a database does.
func books(n int) []*book {
	list := make([]*book, n)
	for i := range list {
		list[i] = &book{i, "Book " + strconv.Itoa(i), float64(i) + 0.5, i%2 == 0, &shelf{i, "A"}}
	}
	return list
}

// marshal leaves the JSON to encoding/json, which asks for each value's type.
func marshal(w http.ResponseWriter, _ *http.Request) {
	out, err := json.Marshal(books(50))
	if err != nil {
		log.Fatal(err)
	}
	w.Write(out)
}

// cached answers with the same bytes, made once.
func cached(out []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(out) }
}

var door sync.RWMutex

func stalled(w http.ResponseWriter, _ *http.Request) {
	door.RLock()
	defer door.RUnlock()
	w.Write([]byte("hello"))
}

// stall keeps the door shut for 200 ms every 2 s, as a backup, a lock or a slow disk does.
func stall() {
	for range time.Tick(2 * time.Second) {
		door.Lock()
		time.Sleep(200 * time.Millisecond)
		door.Unlock()
	}
}

// burst starts 500 goroutines every 400 ms. Each yields again and again, and waits in the global run queue then.
func burst() {
	for range time.Tick(400 * time.Millisecond) {
		for range 500 {
			go func() {
				for range 400 {
					runtime.Gosched()
				}
			}()
		}
	}
}

var kept []*book

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	live := flag.Int("live", 0, "keep so many books alive, which each collection has to mark")
	bursts := flag.Bool("burst", false, "start many goroutines at once, again and again")
	flag.Parse()
	kept = books(*live)
	out, err := json.Marshal(books(50))
	if err != nil {
		log.Fatal(err)
	}
	if *bursts {
		go burst()
	}
	go stall()
	http.HandleFunc("/marshal", marshal)
	http.HandleFunc("/cached", cached(out))
	http.HandleFunc("/stall", stalled)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
