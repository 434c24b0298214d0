package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.workshop.simulation.kernel.Kernel;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The connection of one machine to the store, over an unreliable network. */
final class StoreConnection {

    private static final Duration WAY = Duration.ofMillis(1);

    private final World world;
    private final StoreServer server;
    private final Kernel kernel;
    private final Machine machine;
    private final long timeout;

    StoreConnection(World world, StoreServer server, Machine machine) {
        this.world = world;
        this.server = server;
        this.kernel = world.kernel();
        this.machine = machine;
        this.timeout = world.setup().policy().lease().toNanos() / 6;
    }

    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        return requests.stream()
                .<CompletionStage<Claim>>map(request -> send(ghost -> server.acquire(request, machine, ghost)))
                .toList();
    }

    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> requests) {
        return requests.stream()
                .<CompletionStage<StoreAnswer>>map(request -> send(ghost -> server.update(request, machine)))
                .toList();
    }

    /** Sends a call. The argument of {@code execution} says whether the caller has given up waiting for the answer. */
    <T> CompletableFuture<T> send(Function<Boolean, T> execution) {
        kernel.check();
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (server.silent() || world.strikes(Fault.NOT_EXECUTED, 3)) {
            boolean refused = world.random().nextBoolean();
            fail(answer, refused ? Execution.NOT_EXECUTED : Execution.UNKNOWN, refused ? world.about(WAY) : timeout);
        } else if (world.strikes(Fault.GHOST, 2)) {
            kernel.soon(timeout + world.random().nextLong(10 * timeout), world.outside(), () -> {
                var unused = execution.apply(true);
            });
            fail(answer, Execution.UNKNOWN, timeout);
        } else {
            boolean lost = world.strikes(Fault.REPLY_LOST, 3);
            kernel.soon(world.about(WAY), world.outside(), () -> execute(execution, answer, lost));
        }
        return answer;
    }

    private <T> void execute(Function<Boolean, T> execution, CompletableFuture<T> answer, boolean lost) {
        T result = execution.apply(false);
        if (lost) {
            fail(answer, Execution.UNKNOWN, world.random().nextLong(timeout));
        } else {
            kernel.soon(world.about(WAY), machine, () -> answer.complete(result));
        }
    }

    private void fail(CompletableFuture<?> answer, Execution execution, long after) {
        kernel.soon(
                after,
                machine,
                () -> answer.completeExceptionally(new StoreUnavailableException(
                        "simulated: " + execution, execution, new IllegalStateException("simulated"))));
    }
}
