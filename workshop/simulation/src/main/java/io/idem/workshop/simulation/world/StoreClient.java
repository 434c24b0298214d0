package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.FailurePolicy;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.kernel.Machine;
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
    public StoreAnswer settle(RecordUpdate request) {
        return wait(request.getClass().getSimpleName(), () -> connection.settle(request));
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return settle(new RecordUpdate.Renew(lease));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return settle(new RecordUpdate.Complete(lease, result));
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return settle(new RecordUpdate.Fail(lease, delay));
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return settle(new RecordUpdate.Reject(lease, reason));
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StoreAnswer erase(RecordId record) {
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
