package io.idem.demo.page;

import io.idem.demo.story.Kind;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints behind the buttons of the page. Each answers with one sentence for the visitor. */
@RestController
@RequestMapping("/actions")
class PageActions {

    private static final long MOST_CENTS = 100_000_000;

    private final Playground playground;

    PageActions(Playground playground) {
        this.playground = playground;
    }

    /** The visitor's input. */
    record Wish(Kind kind, long cents) {

        /** Returns the amount in cents, if it is a valid one. */
        long amount() {
            if (cents < 1 || cents > MOST_CENTS) {
                throw new NotNowException("The amount must be from 0.01 to " + MOST_CENTS / 100 + ".");
            }
            return cents;
        }
    }

    /** The text that the page shows after an action. */
    record Told(String text) {}

    @PostMapping("/send")
    Told send(@RequestBody Wish wish) throws InterruptedException {
        return new Told(playground.send(wish.kind(), wish.amount()));
    }

    @PostMapping("/send-twice")
    Told sendTwice(@RequestBody Wish wish) throws InterruptedException {
        return new Told(playground.sendTwice(wish.kind(), wish.amount()));
    }

    @PostMapping("/retry")
    Told retry() throws InterruptedException {
        return new Told(playground.retry());
    }

    @PostMapping("/change")
    Told change() throws InterruptedException {
        return new Told(playground.change());
    }

    @PostMapping("/kill-worker")
    Told killWorker() throws InterruptedException {
        return new Told(playground.killWorker());
    }

    @PostMapping("/stop-redis")
    Told stopRedis() {
        return new Told(playground.stopRedis());
    }

    @PostMapping("/start-redis")
    Told startRedis() {
        return new Told(playground.startRedis());
    }

    @ExceptionHandler
    ProblemDetail notNow(NotNowException why) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, why.getMessage());
    }
}
