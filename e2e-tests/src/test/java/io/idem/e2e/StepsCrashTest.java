package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.e2e.steps.Book;
import io.idem.e2e.steps.StepProvider;
import io.idem.e2e.steps.Stop;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresEarlierVersion;
import io.idem.workshop.child.StepsMain;
import io.idem.workshop.outside.QueueProbe;
import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.outside.RecordProbe;
import io.idem.workshop.outside.TopicProbe;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Waiting;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application is killed with SIGKILL between and inside the steps of a message of RabbitMQ, a record of Kafka and a
 * request, all three at once; a provider outside counts what it is asked to do. Repeat a run with
 * {@code -Didem.steps.seed=…}.
 */
@Tag("extended")
class StepsCrashTest {

    private static final Logger LOG = LoggerFactory.getLogger(StepsCrashTest.class);
    private static final String TENANT = "north";
    private static final int ROUNDS = 4;
    private static final int KILLS = 3;
    private static final int OK = 200;
    private static final String JSON_TYPES = "{\"x-idempotency-key\":\"java.lang.String\"}";

    private final long seed = Long.getLong("idem.steps.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final String name = "e2e.steps-" + UUID.randomUUID();
    private final StepProvider provider = new StepProvider();
    private final RunningAmqp amqp = SharedServers.amqp();
    private final QueueProbe queues = new QueueProbe(amqp.uri());
    private final TopicProbe topics = new TopicProbe(SharedServers.kafka().bootstrapServers());
    private final RecordProbe records = new RecordProbe(SharedServers.redis().uri());
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Version version = Version.THIS;
    private Application application = start();
    private volatile int port;

    private Application start() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("e2e.name", name);
        settings.put("e2e.provider", provider.address());
        settings.put("server.address", "127.0.0.1");
        settings.put("server.port", "0");
        settings.put("idem.http.tenant", "single");
        settings.put("idem.lease", "3s");
        settings.put(
                "spring.autoconfigure.exclude",
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
        settings.put("spring.data.redis.url", SharedServers.redis().uri());
        settings.put("spring.rabbitmq.host", amqp.host());
        settings.put("spring.rabbitmq.port", Integer.toString(amqp.port()));
        settings.put("spring.rabbitmq.username", amqp.username());
        settings.put("spring.rabbitmq.password", amqp.password());
        settings.put("spring.rabbitmq.virtual-host", amqp.virtualHost());
        settings.put("spring.kafka.bootstrap-servers", SharedServers.kafka().bootstrapServers());
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        // A static member: the partition goes to the next process at once, not when the session of the killed one ends.
        settings.put("spring.kafka.consumer.properties[group.instance.id]", name);
        return Application.start("steps", StepsMain.class, version.jvmArguments(), settings);
    }

    @AfterEach
    void stop() {
        application.close();
        queues.delete(name);
        queues.close();
        topics.close();
        records.close();
        provider.close();
    }

    @Test
    void noKillBetweenOrInsideStepsRepeatsAStepThatIsRemembered() {
        List<Stop> onBrokers = List.of(Stop.BETWEEN_STEPS, Stop.LABEL_NOT_REMEMBERED);
        List<Piece> pieces = List.of(
                onRabbit(onBrokers),
                onKafka(onBrokers),
                byRequest(List.of(Stop.CHARGE_NOT_REMEMBERED, Stop.BETWEEN_STEPS)));

        killAndFinish(pieces);

        assertThat(pieces).allMatch(piece -> piece.book().kills().size() == 2);
    }

    @Test
    @Tag("extended")
    void noneOfManyKillsRepeatsAStepThatIsRemembered() {
        LOG.info("Kills of applications with steps: seed {}", seed);
        List<Stop> kills = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<Piece> pieces = List.of(onRabbit(stops()), onKafka(stops()), byRequest(stops()));
            killAndFinish(pieces);
            pieces.forEach(piece -> kills.addAll(piece.book().kills()));
        }
        LOG.info("Kills of applications with steps: {} at {}", kills.size(), kills);
        assertThat(kills).hasSizeGreaterThanOrEqualTo(3 * ROUNDS);
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    @RequiresEarlierVersion
    void oneVersionFinishesWhatTheOtherBeganAndNeitherRepeatsIt(Version first) {
        version = first;
        restart();
        List<Stop> stops = List.of(Stop.BETWEEN_STEPS);
        List<Piece> pieces = List.of(onRabbit(stops), encodedOnKafka(stops), byRequest(stops));

        version = first.other();
        killAndFinish(pieces);
        assertNotRepeated(pieces);

        version = first;
        restart();
        assertNotRepeated(pieces);
    }

    private void restart() {
        application.close();
        application = start();
        port = application.awaitUp().http();
    }

    /**
     * Sends the messages again, and waits for others behind them; repeats the request.
     *
     * @param pieces a message of RabbitMQ, a record of Kafka and a request
     */
    private void assertNotRepeated(List<Piece> pieces) {
        List<Long> attempts =
                pieces.stream().map(piece -> piece.book().attempts()).toList();
        pieces.forEach(piece -> piece.send().run());
        waitUntil("a repeated request is answered")
                .until(() -> isAnswered(pieces.get(2).key()));
        List<Piece> behind = List.of(onRabbit(List.of()), onKafka(List.of()));
        behind.forEach(piece -> piece.send().run());
        awaitStoppedOrDone(behind);
        assertThat(pieces).extracting(piece -> piece.book().attempts()).isEqualTo(attempts);
    }

    private List<Stop> stops() {
        return random.ints(KILLS, 0, Stop.all().size())
                .mapToObj(Stop.all()::get)
                .toList();
    }

    private Piece onRabbit(List<Stop> stops) {
        String key = freshKey("rabbit");
        Book book = provider.open(key, stops);
        return new Piece(
                key,
                book,
                () -> queues.publish("", name, Messages.headers(TENANT, key), "ship"),
                () -> isCompleted(key, StepsMain.RABBIT_SCOPE));
    }

    private Piece onKafka(List<Stop> stops) {
        String key = freshKey("kafka");
        Book book = provider.open(key, stops);
        return new Piece(key, book, () -> topics.publish(message(key)), () -> isCompleted(key, StepsMain.KAFKA_SCOPE));
    }

    /** Returns work of a record whose key a header mapper has encoded. The earlier version takes it with its quotes. */
    private Piece encodedOnKafka(List<Stop> stops) {
        String key = freshKey("encoded");
        String encoded = "\"" + key + "\"";
        Book book = provider.open(key, stops);
        return new Piece(
                key,
                book,
                () -> {
                    ProducerRecord<byte[], byte[]> message = message(encoded);
                    message.headers().add("spring_json_header_types", bytes(JSON_TYPES));
                    topics.publish(message);
                },
                () -> isCompleted(encoded, StepsMain.KAFKA_SCOPE));
    }

    private ProducerRecord<byte[], byte[]> message(String key) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(name, bytes("ship"));
        Messages.headers(TENANT, key)
                .forEach((header, value) -> message.headers().add(header, bytes(value.toString())));
        return message;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private boolean isCompleted(String key, String scope) {
        return records.read(TENANT, key, scope).map(RawRecord::state).equals(Optional.of("COMPLETED"));
    }

    /** Returns work that a client asks for again and again until it is answered. */
    private Piece byRequest(List<Stop> stops) {
        String key = freshKey("request");
        Book book = provider.open(key, stops);
        CompletableFuture<Void> answered = new CompletableFuture<>();
        return new Piece(
                key,
                book,
                () -> answered.completeAsync(() -> {
                    waitUntil(key + " is answered")
                            .atMost(Waiting.PATIENCE.multipliedBy(4))
                            .until(() -> isAnswered(key));
                    return null;
                }),
                answered::isDone);
    }

    private boolean isAnswered(String key) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/shipments"))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("ship"))
                .build();
        try {
            return http.send(request, BodyHandlers.ofString()).statusCode() == OK;
        } catch (IOException killed) {
            return false;
        }
    }

    /** Kills the application whenever all of the work is kept waiting or completed, until all is completed. */
    private void killAndFinish(List<Piece> pieces) {
        port = application.awaitUp().http();
        pieces.forEach(piece -> piece.send().run());
        awaitStoppedOrDone(pieces);
        while (pieces.stream().anyMatch(piece -> piece.book().isHeld())) {
            application.process().kill9();
            pieces.forEach(piece -> piece.book().killed());
            application = start();
            port = application.awaitUp().http();
            awaitStoppedOrDone(pieces);
        }
        pieces.forEach(piece -> piece.book().check());
    }

    private static void awaitStoppedOrDone(List<Piece> pieces) {
        for (Piece piece : pieces) {
            waitUntil(piece + " is stopped or completed")
                    .until(() -> piece.book().isHeld() || piece.done().getAsBoolean());
        }
    }

    /** The version of idem that the application runs. */
    private enum Version {
        THIS,
        EARLIER;

        Version other() {
            return this == THIS ? EARLIER : THIS;
        }

        List<String> jvmArguments() {
            return this == THIS ? List.of() : List.of("-cp", earlierClassPath());
        }

        /** Returns the class path of this JVM with the earlier version of each module of which there is one. */
        private static String earlierClassPath() {
            Path folder = Path.of(System.getenv(RequiresEarlierVersion.FOLDER));
            String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(entry -> earlier(folder, Path.of(entry)).orElse(entry))
                    .collect(Collectors.joining(File.pathSeparator));
            assertThat(classPath).contains(folder.resolve("idem-common").toString());
            return classPath;
        }

        /** The classes or the archive of a module are in its folder "target". */
        private static Optional<String> earlier(Path folder, Path entry) {
            return Optional.ofNullable(entry.getParent())
                    .filter(target -> target.endsWith("target"))
                    .map(Path::getParent)
                    .map(Path::getFileName)
                    .map(module -> folder.resolve(module).resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .map(Path::toString);
        }
    }

    /** Work under one key. */
    private record Piece(String key, Book book, Runnable send, BooleanSupplier done) {

        @Override
        public String toString() {
            return key + ": " + book;
        }
    }
}
