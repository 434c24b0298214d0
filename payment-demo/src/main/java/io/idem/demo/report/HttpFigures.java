package io.idem.demo.report;

import io.idem.demo.story.Exchange;
import java.util.List;
import java.util.function.Predicate;

/**
 * The figures of the clients' requests and replies.
 *
 * @param requests sent
 * @param executed replies that the intake made for the first time
 * @param replayed replies that said they were replays
 * @param conflicts replies 409: somebody is at it
 * @param mismatches replies 422: the key was used for something else
 * @param hungUp requests whose client did not wait for the reply
 * @param unavailable replies 503
 * @param others everything else
 */
public record HttpFigures(
        int requests,
        int executed,
        int replayed,
        int conflicts,
        int mismatches,
        int hungUp,
        int unavailable,
        int others) {

    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int UNAVAILABLE = 503;

    /** Counts the exchanges of a log. */
    public static HttpFigures of(List<Exchange> log) {
        int executed = count(log, exchange -> exchange.accepted() && !exchange.replayed());
        int replayed = count(log, exchange -> exchange.accepted() && exchange.replayed());
        int conflicts = count(log, exchange -> exchange.status() == CONFLICT);
        int mismatches = count(log, exchange -> exchange.status() == UNPROCESSABLE);
        int hungUp = count(log, exchange -> exchange.status() == 0);
        int unavailable = count(log, exchange -> exchange.status() == UNAVAILABLE);
        int others = log.size() - executed - replayed - conflicts - mismatches - hungUp - unavailable;
        return new HttpFigures(log.size(), executed, replayed, conflicts, mismatches, hungUp, unavailable, others);
    }

    private static int count(List<Exchange> log, Predicate<Exchange> which) {
        return (int) log.stream().filter(which).count();
    }
}
