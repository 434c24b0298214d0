package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.FailurePolicy;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The store's client on one machine. The machine may die before and after each call that may block. */
final class StoreClient implements IdempotencyStore {

    private final World world;
    private final StoreServer server;
    private final StoreConnection connection;
    private final Machine machine;

    StoreClient(World world, StoreServer server, Machine machine) {
        this.world = world;
        this.server = server;
        this.machine = machine;
        this.connection = new StoreConnection(world, server, machine);
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
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return stepped("acquire", () -> connection.acquire(requests));
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        return stepped(
                updates.stream().map(RecordUpdate::name).distinct().collect(Collectors.joining("+")),
                () -> connection.update(updates));
    }

    @Override
    public Optional<Executor> blockingThreads() {
        return Optional.empty();
    }

    private <T> List<CompletionStage<T>> stepped(String what, Supplier<List<CompletionStage<T>>> call) {
        if (!world.kernel().mayWait()) {
            return call.get();
        }
        world.step("before " + what);
        return call.get().stream().map(answer -> stepped(what, answer)).toList();
    }

    private <T> CompletionStage<T> stepped(String what, CompletionStage<T> answer) {
        CompletableFuture<T> told = new CompletableFuture<>();
        Stages.whenComplete(
                answer,
                (given, failure) -> world.kernel().after(0, machine, () -> {
                    if (failure == null) {
                        world.step("after " + what);
                    }
                    Stages.copy(answer, told);
                }));
        return told;
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
    public RememberedSteps steps(RecordId record) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void announce(Scope scope) {}

    @Override
    public void close() {}
}
