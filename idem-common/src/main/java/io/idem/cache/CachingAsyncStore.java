package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The cache's other form: only what it does not know travels to the store, still in one call. */
final class CachingAsyncStore implements AsyncIdempotencyStore {

    private final AsyncIdempotencyStore store;
    private final SettledRecordEntries records;

    CachingAsyncStore(AsyncIdempotencyStore store, SettledRecordEntries records) {
        this.store = store;
        this.records = records;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        List<Optional<Claim>> known = requests.stream().map(records::answer).toList();
        List<AcquireRequest> unknown = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            if (known.get(i).isEmpty()) {
                unknown.add(requests.get(i));
            }
        }
        Iterator<CompletionStage<Claim>> asked = ask(unknown).iterator();
        return known.stream()
                .map(claim -> claim.<CompletionStage<Claim>>map(CompletableFuture::completedFuture)
                        .orElseGet(asked::next))
                .toList();
    }

    private List<CompletionStage<Claim>> ask(List<AcquireRequest> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        SettledRecordEntries.Ticket ticket = records.ticket();
        List<CompletionStage<Claim>> answers = store.acquire(requests);
        List<CompletionStage<Claim>> learned = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            AcquireRequest request = requests.get(i);
            learned.add(first(answers.get(i), claim -> records.learn(ticket, request, claim)));
        }
        return learned;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> settle(List<RecordUpdate> requests) {
        SettledRecordEntries.Ticket ticket = records.ticket();
        List<CompletionStage<StoreAnswer>> answers = store.settle(requests);
        List<CompletionStage<StoreAnswer>> learned = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            learned.add(learning(ticket, requests.get(i), answers.get(i)));
        }
        return learned;
    }

    private CompletionStage<StoreAnswer> learning(
            SettledRecordEntries.Ticket ticket, RecordUpdate request, CompletionStage<StoreAnswer> answer) {
        return request instanceof RecordUpdate.Complete
                ? first(answer, given -> records.learn(ticket, request.lease(), given))
                : answer;
    }

    /** The same answer after something was done with it. */
    private static <A> CompletionStage<A> first(CompletionStage<A> answer, Consumer<A> use) {
        return Stages.map(answer, value -> {
            use.accept(value);
            return value;
        });
    }
}
