package io.idem.spi;

import io.idem.RecordId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Keeps the order of the requests for one record within a batch, for authors of asynchronous stores: a request is sent
 * after the earlier ones for its record were answered, and all others are sent together. A batch without two requests
 * for one record, the usual one, is sent unchanged.
 */
public final class InOrder {

    private InOrder() {}

    /**
     * Sends a batch in order.
     *
     * @param record returns the record of a request
     * @param send sends requests of which no two are for one record; does not throw
     * @return an answer per request, in their order
     */
    public static <Q, A> List<CompletionStage<A>> send(
            List<Q> requests, Function<Q, RecordId> record, Function<List<Q>, List<CompletionStage<A>>> send) {
        if (requests.isEmpty()) {
            return List.of();
        }
        if (requests.size() == 1 || isEachForAnother(requests, record)) {
            return send.apply(requests);
        }
        List<List<Integer>> rounds = rounds(requests, record);
        List<CompletableFuture<A>> answers = new ArrayList<>();
        requests.forEach(request -> answers.add(new CompletableFuture<>()));
        go(requests, rounds, 0, send, answers);
        return List.copyOf(answers);
    }

    private static <Q> boolean isEachForAnother(List<Q> requests, Function<Q, RecordId> record) {
        Set<RecordId> seen = new HashSet<>(2 * requests.size());
        for (Q request : requests) {
            if (!seen.add(record.apply(request))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the positions of the first requests for each record, of the second ones, and so on. */
    private static <Q> List<List<Integer>> rounds(List<Q> requests, Function<Q, RecordId> record) {
        List<List<Integer>> rounds = new ArrayList<>();
        Map<RecordId, Integer> seen = new HashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            int round = seen.merge(record.apply(requests.get(i)), 1, Integer::sum);
            if (round > rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round - 1).add(i);
        }
        return rounds;
    }

    private static <Q, A> void go(
            List<Q> requests,
            List<List<Integer>> rounds,
            int round,
            Function<List<Q>, List<CompletionStage<A>>> send,
            List<CompletableFuture<A>> answers) {
        List<Integer> positions = rounds.get(round);
        List<CompletionStage<A>> sent =
                send.apply(positions.stream().map(requests::get).toList());
        for (int i = 0; i < sent.size(); i++) {
            Stages.copy(sent.get(i), answers.get(positions.get(i)));
        }
        if (round + 1 < rounds.size()) {
            Stages.whenComplete(Stages.all(sent), (nothing, failure) -> go(requests, rounds, round + 1, send, answers));
        }
    }
}
