package io.idem.demo.supervisor;

import io.idem.IdempotencyEventListener;
import io.idem.demo.report.Store;
import io.idem.demo.story.ClientListener;
import io.idem.demo.story.StoryPlan;
import io.idem.servers.ServerOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts servers and processes in the order of their use, and the page if the demo is to stay up. */
final class SetUp {

    /** The profile of intake and workers without Redis. */
    private static final String INBOX_ALONE = "inbox-alone";

    private final DemoOptions options;
    private final String run;
    private final Path output;
    private final Closing closing;
    private final Progress progress;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> apiKeys = ApiKeys.generate(StoryPlan.TENANTS);
    private final Audience audience = new Audience();

    /** {@code run} starts the keys of the story; what is started is left to {@code closing}. */
    SetUp(DemoOptions options, String run, Path output, Closing closing, Progress progress) {
        this.options = options;
        this.run = run;
        this.output = output;
        this.closing = closing;
        this.progress = progress;
    }

    Stage start() throws InterruptedException {
        EndpointsFile endpoints = closing.add(new EndpointsFile(output.resolve("demo-endpoints.json")));
        endpoints.clear();
        int port = Ports.ofIntake(options.port());
        int pagePort = Ports.ofPage(options.pagePort());
        RedisSwitch redis = options.external() ? givenRedis() : startServers();
        if (options.store() == Store.INBOX) {
            settings.put("spring.profiles.include", INBOX_ALONE);
        }
        Workers workers = closing.add(new Workers(options.inbox(), settings, output.resolve("demo-logs")));
        WorkerStates states = new WorkerStates(workers);
        workers.events().listen(states::on);
        workers.events().listen(new Narrator(options.store(), progress, SetUp::isAlive)::on);
        workers.start();
        Intake intake = closing.add(Intake.start(port, apiKeys, settings, intakeListeners()));
        progress.say("up: intake at %s", intake.uri());
        endpoints.write(intake.uri().toString(), apiKeys, intake.addresses());
        workers.awaitReady();
        workers.byName().values().forEach(worker -> progress.say("up: %s (process %d)", worker.name(), worker.pid()));
        Stage.Clients clients = closing.add(Stage.Clients.of(intake.addresses()));
        Stage stage = new Stage(intake, apiKeys, workers, clients, clientListener());
        if (!options.verify()) {
            open(stage, states, redis, pagePort);
        }
        return stage;
    }

    private RedisSwitch givenRedis() {
        return options.store() == Store.INBOX ? RedisSwitch.none() : RedisSwitch.notOurs();
    }

    private RedisSwitch startServers() {
        Servers servers = closing.add(Servers.start(redisOptions()));
        servers.all().forEach(server -> progress.say("up: %s", server));
        settings.putAll(servers.settings());
        return servers.redis() == null ? RedisSwitch.none() : RedisSwitch.of(servers.redis());
    }

    private @Nullable ServerOptions redisOptions() {
        if (options.store() == Store.INBOX) {
            progress.say("no Redis: the inbox of PostgreSQL is the only store");
            return null;
        }
        // Where it may be stopped it has to remember, as it must in production.
        return options.verify() ? ServerOptions.own() : ServerOptions.own().keepingData();
    }

    private List<IdempotencyEventListener> intakeListeners() {
        return options.verify() ? List.of() : List.of(audience.intake());
    }

    private ClientListener clientListener() {
        return options.verify() ? ClientListener.NOBODY : audience;
    }

    private void open(Stage stage, WorkerStates states, RedisSwitch redis, int port) {
        Path log = output.resolve("demo-visitor.jsonl");
        Page page = closing.add(Page.open(stage, audience, states, redis, run, port, log));
        progress.listen(audience.flow()::say);
        progress.say("up: page at %s", page.uri());
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
    }
}
