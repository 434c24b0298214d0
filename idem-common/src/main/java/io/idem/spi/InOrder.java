package io.idem.spi;

import io.idem.RecordId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

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
        if (requests.size() == 1) {
            return send.apply(requests);
        }
        Set<RecordId> records = new HashSet<>(2 * requests.size());
        List<Q> first = new ArrayList<>(requests.size());
        List<Q> others = new ArrayList<>();
        List<Integer> placesOfOthers = new ArrayList<>();
        for (Q request : requests) {
            if (records.add(record.apply(request))) {
                first.add(request);
            } else {
                placesOfOthers.add(first.size() + others.size());
                others.add(request);
            }
        }
        return others.isEmpty()
                ? send.apply(requests)
                : inTurn(send.apply(first), placesOfOthers, () -> send(others, record, send));
    }

    /** Returns the answers to requests of which some are sent after the answers to the first ones. */
    private static <A> List<CompletionStage<A>> inTurn(
            List<CompletionStage<A>> first, List<Integer> placesOfOthers, Supplier<List<CompletionStage<A>>> others) {
        CompletableFuture<List<CompletionStage<A>>> then = Stages.map(Stages.all(first), answered -> others.get());
        List<CompletionStage<A>> answers = new ArrayList<>(first);
        for (int i = 0; i < placesOfOthers.size(); i++) {
            int other = i;
            answers.add(placesOfOthers.get(i), Stages.compose(then, sent -> sent.get(other)));
        }
        return answers;
    }
}
