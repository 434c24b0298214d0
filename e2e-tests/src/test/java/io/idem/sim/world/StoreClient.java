package io.idem.sim.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.FailurePolicy;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.SettleRequest;
import io.idem.Settlement;
import io.idem.StoredResult;
import io.idem.sim.kernel.Machine;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One machine's client of the store. Before and after each call that blocks, the machine may die. */
final class StoreClient implements IdempotencyStore {

    private final World world;
    private final StoreServer server;
    private final StoreConnection connection;

    StoreClient(World world, StoreServer server, Machine machine) {
        this.world = world;
        this.server = server;
        this.connection = new StoreConnection(world, server, machine);
    }

    @Override
    public AsyncIdempotencyStore async() {
        return connection;
    }

    private <T> T wait(String what, Supplier<CompletionStage<T>> call) {
        world.step("before " + what);
        T answer;
        try {
            answer = call.get().toCompletableFuture().join();
        } catch (CompletionException wrapped) {
            if (FailurePolicy.unwrapped(wrapped) instanceof RuntimeException failure) {
                throw failure;
            }
            throw wrapped;
        }
        world.step("after " + what);
        return answer;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return wait("acquire", () -> connection.acquire(request));
    }

    @Override
    public Settlement settle(SettleRequest request) {
        return wait(request.getClass().getSimpleName(), () -> connection.settle(request));
    }

    @Override
    public Settlement renew(Lease lease) {
        return settle(new SettleRequest.Renew(lease));
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        return settle(new SettleRequest.Complete(lease, result));
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        return settle(new SettleRequest.Fail(lease, delay));
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        return settle(new SettleRequest.Reject(lease, reason));
    }

    @Override
    public Settlement reopen(RecordId record, long expectedFence, Duration retention) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Settlement force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Settlement erase(RecordId record) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return wait("inspect", () -> connection.send(ghost -> server.inspect(record)));
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void announce(Scope scope) {}

    @Override
    public void close() {}
}
