package io.idem.demo.supervisor;

import io.idem.demo.page.MachinesView.Redis;
import io.idem.demo.page.PageServer;
import io.idem.demo.story.ClientLog;
import io.idem.demo.story.Visitor;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The page with its server and its data. */
final class Page implements AutoCloseable {

    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final Closing closing = new Closing();
    private final PageServer server;

    private Page(
            Stage stage, Audience audience, WorkerStates workers, RedisSwitch redis, String run, int port, Path log) {
        ClientLog clientLog = closing.add(new ClientLog(log, audience));
        Visitor visitor = closing.add(new Visitor(stage.intake().uri(), stage.apiKeys(), clientLog));
        Witness witness = Witness.ofAll(stage.intake().addresses().jdbc(), run);
        LedgerWatch ledger = closing.add(new LedgerWatch(audience, witness, busy(stage, workers, redis)).start());
        WorkerKill kill = new WorkerKill(stage.workers().byName());
        stage.workers().events().listen(kill::on);
        stage.workers().events().listen(audience.flow()::on);
        server = closing.add(PageServer.start(
                port,
                new VisitorPlayground(audience.flow(), visitor, "my-" + run, workers, kill, redis, ledger::view)));
    }

    /**
     * Starts the server of the page. The keys of the planned operations start with {@code run}; a visitor's keys
     * contain it.
     */
    static Page open(
            Stage stage, Audience audience, WorkerStates workers, RedisSwitch redis, String run, int port, Path log) {
        return new Page(stage, audience, workers, redis, run, port, log);
    }

    private static BooleanSupplier busy(Stage stage, WorkerStates workers, RedisSwitch redis) {
        return () -> redis.state() == Redis.STOPPED
                || !workers.allReady()
                || stage.workers().events().silence().compareTo(SILENCE) < 0
                || stage.clients().amqp().payments() > 0
                || stage.clients().kafka().lag() > 0;
    }

    URI uri() {
        return server.uri();
    }

    @Override
    public void close() {
        closing.close();
    }
}
