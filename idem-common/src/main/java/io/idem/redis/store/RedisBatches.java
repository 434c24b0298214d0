package io.idem.redis.store;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.script.RecordReader;
import io.idem.internal.redis.script.Replies;
import io.idem.internal.redis.script.ReplyReading;
import io.idem.internal.redis.script.ScriptArguments;
import io.idem.internal.redis.script.ScriptReply;
import io.idem.internal.redis.script.Scripting;
import io.idem.internal.redis.script.TransitionScripts;
import io.idem.redis.UnsuitableRedisException;
import io.idem.spi.InOrder;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the transitions of records as scripts, in batches. Stages complete on threads of the client.
 *
 * @param refusal returns the reason why no work must be granted; empty if there is none
 */
record RedisBatches(
        Scripting scripts,
        TransitionScripts transitions,
        RecordReader reader,
        Supplier<Optional<UnsuitableRedisException>> refusal) {

    List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(requests, AcquireRequest::record, this::acquireEach);
    }

    /** Sends acquires; their order is not kept, even of two for one record. */
    List<CompletionStage<Claim>> acquireEach(List<AcquireRequest> requests) {
        return refusal.get()
                .map(why -> withoutGrants(requests, why))
                .orElseGet(() -> together(requests, transitions::acquire, sent -> new Claims(sent, reader)));
    }

    private List<CompletionStage<Claim>> withoutGrants(List<AcquireRequest> requests, UnsuitableRedisException why) {
        return List.copyOf(reader.answersWithoutWriting(
                requests, request -> RedisFailures.unsuitable("ACQUIRE of " + request.record(), why)));
    }

    List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> requests) {
        return InOrder.send(requests, request -> request.lease().record(), this::updateEach);
    }

    /** Sends updates; their order is not kept, even of two for one record. */
    List<CompletionStage<StoreAnswer>> updateEach(List<RecordUpdate> requests) {
        return together(requests, transitions::settle, sent -> (position, reply) -> {
            RecordUpdate request = sent.get(position);
            RecordId record = request.lease().record();
            return request instanceof RecordUpdate.Recall
                    ? Replies.recalled(record, reply)
                    : Replies.answer(record, reply, written(request));
        });
    }

    /**
     * Sends requests in as few calls as possible. A request that cannot be turned into a script call fails alone,
     * because the others may belong to other callers.
     */
    private <R, A> List<CompletionStage<A>> together(
            List<R> requests, Function<R, ScriptArguments> line, Function<List<R>, ReplyReading<A>> reading) {
        List<ScriptArguments> asked = new ArrayList<>(requests.size());
        try {
            requests.forEach(request -> asked.add(line.apply(request)));
        } catch (RuntimeException unsendable) {
            return requests.size() == 1
                    ? List.of(Stages.failed(unsendable))
                    : requests.stream()
                            .flatMap(request -> together(List.of(request), line, reading).stream())
                            .toList();
        }
        return List.copyOf(scripts.run(asked, reading.apply(requests)));
    }

    private static StoredResult written(RecordUpdate request) {
        return request instanceof RecordUpdate.Complete complete ? complete.result() : StoredResult.NONE;
    }

    /**
     * Reads the replies to acquires. A Redis that refuses writes, because it is out of memory or has no disk, still
     * reads, so duplicates get their answers.
     */
    private record Claims(List<AcquireRequest> requests, RecordReader reader) implements ReplyReading<Claim> {

        @Override
        public Claim read(int position, ScriptReply reply) {
            return Replies.claim(requests.get(position), reply);
        }

        @Override
        public void failed(List<Integer> positions, Throwable failure, List<CompletableFuture<Claim>> answers) {
            if (failure instanceof StoreUnavailableException unavailable && RedisFailures.ofWrites(unavailable)) {
                List<CompletableFuture<Claim>> instead = reader.answersWithoutWriting(
                        positions.stream().map(requests::get).toList(), request -> unavailable);
                for (int i = 0; i < instead.size(); i++) {
                    Stages.copy(instead.get(i), answers.get(positions.get(i)));
                }
            } else {
                ReplyReading.super.failed(positions, failure, answers);
            }
        }
    }
}
