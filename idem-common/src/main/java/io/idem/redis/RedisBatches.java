package io.idem.redis;

import io.idem.StoreUnavailableException;
import io.idem.spi.AcquireRequest;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.Claim;
import io.idem.spi.InOrder;
import io.idem.spi.RecordId;
import io.idem.spi.SettleRequest;
import io.idem.spi.Settlement;
import io.idem.spi.Stages;
import io.idem.spi.StoredResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The transitions as scripts, sent in batches. Stages complete on threads of the client. */
final class RedisBatches implements AsyncIdempotencyStore {

    private final Scripting scripts;
    private final ScriptLines lines;
    private final RecordReader reader;

    RedisBatches(Scripting scripts, ScriptLines lines, RecordReader reader) {
        this.scripts = scripts;
        this.lines = lines;
        this.reader = reader;
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return InOrder.send(requests, AcquireRequest::record, this::acquireEach);
    }

    private List<CompletionStage<Claim>> acquireEach(List<AcquireRequest> requests) {
        List<CompletableFuture<ScriptReply>> replies =
                scripts.run(requests.stream().map(lines::acquire).toList());
        List<CompletableFuture<Claim>> first = new ArrayList<>(requests.size());
        for (AcquireRequest request : requests) {
            first.add(Stages.map(replies.get(first.size()), reply -> Replies.claim(request, reply)));
        }
        CompletableFuture<Map<RecordId, CompletableFuture<Claim>>> instead =
                Stages.map(Stages.all(first), done -> answersWithoutWriting(requests, first));
        List<CompletionStage<Claim>> claims = new ArrayList<>(requests.size());
        for (AcquireRequest request : requests) {
            CompletableFuture<Claim> claim = first.get(claims.size());
            claims.add(Stages.compose(
                    claim,
                    (given, failure) -> isFull(failure)
                            ? Stages.compose(instead, answers -> answers.get(request.record()))
                            : claim));
        }
        return claims;
    }

    /** A Redis that is out of memory takes no new work, but still reads: duplicates get their answers. */
    private Map<RecordId, CompletableFuture<Claim>> answersWithoutWriting(
            List<AcquireRequest> requests, List<CompletableFuture<Claim>> first) {
        List<Refusal> refusals = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            AcquireRequest request = requests.get(i);
            Stages.whenComplete(first.get(i), (claim, failure) -> {
                if (isFull(failure)) {
                    refusals.add(new Refusal(request, (StoreUnavailableException) failure));
                }
            });
        }
        return refusals.isEmpty() ? Map.of() : reader.answersWithoutWriting(refusals);
    }

    private static boolean isFull(@Nullable Throwable failure) {
        return failure instanceof StoreUnavailableException unavailable && RedisFailures.outOfMemory(unavailable);
    }

    @Override
    public List<CompletionStage<Settlement>> settle(List<SettleRequest> requests) {
        return InOrder.send(requests, request -> request.lease().record(), this::settleEach);
    }

    private List<CompletionStage<Settlement>> settleEach(List<SettleRequest> requests) {
        List<CompletableFuture<ScriptReply>> replies =
                scripts.run(requests.stream().map(lines::settle).toList());
        List<CompletionStage<Settlement>> settlements = new ArrayList<>(requests.size());
        for (SettleRequest request : requests) {
            settlements.add(Stages.map(
                    replies.get(settlements.size()),
                    reply -> Replies.settlement(request.lease().record(), reply, written(request))));
        }
        return settlements;
    }

    private static StoredResult written(SettleRequest request) {
        return request instanceof SettleRequest.Complete complete ? complete.result() : StoredResult.NONE;
    }

    /** A request that Redis had no memory for. */
    record Refusal(AcquireRequest request, StoreUnavailableException why) {}
}
