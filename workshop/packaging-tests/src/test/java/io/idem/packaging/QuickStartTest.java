package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.SharedServers;
import io.idem.servers.process.ChildJvm;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each quick start works as described when it is copied verbatim into an empty folder and built against installed
 * artifacts. {@code .ci/quickstart} installs them and names their repository. Only the addresses of the servers differ.
 */
@EnabledIfSystemProperty(named = QuickStartTest.REPOSITORY, matches = ".+", disabledReason = "run by .ci/quickstart")
@Tag("servers")
class QuickStartTest {

    static final String REPOSITORY = "quickstart.repository";

    private static final Duration LONGEST = ChildJvm.LONGEST_START;

    @TempDir
    private Path folder;

    private int port;

    private final Map<String, String> environment =
            new HashMap<>(Map.of("MAVEN_OPTS", "-Dmaven.repo.local=" + System.getProperty(REPOSITORY)));

    private void useRedis() {
        RunningRedis redis = SharedServers.redis();
        environment.put("SPRING_DATA_REDIS_HOST", redis.host());
        environment.put("SPRING_DATA_REDIS_PORT", String.valueOf(redis.port()));
        environment.put("IDEM_REDIS_NAMESPACE", "quickstart-" + UUID.randomUUID());
    }

    private void useRabbit() {
        RunningAmqp rabbit = SharedServers.amqp();
        environment.put("SPRING_RABBITMQ_HOST", rabbit.host());
        environment.put("SPRING_RABBITMQ_PORT", String.valueOf(rabbit.port()));
        environment.put("SPRING_RABBITMQ_USERNAME", rabbit.username());
        environment.put("SPRING_RABBITMQ_PASSWORD", rabbit.password());
        environment.put("SPRING_RABBITMQ_VIRTUAL_HOST", rabbit.virtualHost());
    }

    @Test
    void aListenerOnRabbitMqShipsEachOrderOnce() throws IOException {
        useRedis();
        useRabbit();

        assertThatOrdersAreShippedOnce(QuickStart.of("rabbitmq"));
    }

    @Test
    void aFunctionOfCloudStreamShipsEachOrderOnce() throws IOException {
        useRedis();
        useRabbit();
        // The newest version of Netty's native parts cannot be downloaded everywhere.
        Path options = Files.createDirectories(folder.resolve(".mvn")).resolve("maven.config");
        Files.writeString(
                options, "-Dnetty.version=" + Pom.root().text("/project/properties/netty-natives.version") + "\n");

        assertThatOrdersAreShippedOnce(QuickStart.of("cloud stream"));
    }

    @Test
    void aListenerOnKafkaShipsEachOrderOnce() throws IOException {
        useRedis();
        environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", SharedServers.kafka().bootstrapServers());

        assertThatOrdersAreShippedOnce(QuickStart.of("kafka"));
    }

    @Test
    void aListenerWithTheInboxAloneShipsEachOrderOnce() throws Exception {
        useRabbit();
        try (Connection connection = useDatabase()) {
            assertThatOrdersAreShippedOnce(
                    QuickStart.of("inbox"),
                    () -> await().atMost(LONGEST).until(() -> rows(connection, "idem_record") == 2));

            assertThat(rows(connection, "shipments")).isEqualTo(2);
            assertThat(rows(connection, "idem_record WHERE state <> 2")).isZero();
        }
    }

    @Test
    void anEventOfSpringModulithShipsEachOrderOnce() throws Exception {
        environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", SharedServers.kafka().bootstrapServers());
        QuickStart start = QuickStart.of("modulith");
        start.writeTo(folder);
        try (Connection connection = useDatabase();
                Shell application = Shell.type(onlyCommand(start), folder, environment)) {
            application.prints("Started ShopApplication", LONGEST);
            String completed = "event_publication WHERE completion_date IS NOT NULL";
            await().atMost(LONGEST).until(() -> rows(connection, completed) == 5);

            assertThat(application.lines("shipping")).containsExactlyInAnyOrderElementsOf(start.output());
            assertThat(rows(connection, "shipments")).isEqualTo(2);
            assertThat(rows(connection, "event_publication")).isEqualTo(5);
        }
    }

    /** Returns a connection to the schema of the application, which is empty. */
    private Connection useDatabase() throws SQLException {
        RunningPostgres postgres = SharedServers.postgres();
        String schema = "quickstart_" + UUID.randomUUID().toString().replace("-", "");
        String url = postgres.jdbcUrl() + (postgres.jdbcUrl().contains("?") ? "&" : "?") + "currentSchema=" + schema;
        environment.put("SPRING_DATASOURCE_URL", url);
        environment.put("SPRING_DATASOURCE_USERNAME", postgres.user());
        environment.put("SPRING_DATASOURCE_PASSWORD", postgres.password());
        Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
        connection.createStatement().execute("CREATE SCHEMA " + schema);
        return connection;
    }

    private static long rows(Connection connection, String table) throws SQLException {
        try (ResultSet count = connection.createStatement().executeQuery("SELECT count(*) FROM " + table)) {
            count.next();
            return count.getLong(1);
        }
    }

    /** Asserts that orders are shipped once. Orders arrive in sequence, so the last one means that all have arrived. */
    private void assertThatOrdersAreShippedOnce(QuickStart start) throws IOException {
        assertThatOrdersAreShippedOnce(start, () -> {});
    }

    /** Asserts that orders are shipped once, and ends the application when {@code ended} returns. */
    private void assertThatOrdersAreShippedOnce(QuickStart start, Runnable ended) throws IOException {
        start.writeTo(folder);
        List<String> expected = start.output();
        try (Shell application = Shell.type(onlyCommand(start), folder, environment)) {
            application.prints(expected.get(expected.size() - 1), LONGEST);

            ended.run();
            assertThat(application.lines("shipping")).isEqualTo(expected);
        }
    }

    @Test
    void anEndpointTakesEachPaymentOnce() throws Exception {
        useRedis();
        QuickStart start = QuickStart.of("http");
        start.writeTo(folder);
        try (Shell unused = startPayments(start)) {
            String request = start.commands("curl").get(0);
            String body = start.output().get(0);

            assertThat(typed(request)).contains(" 200", body).doesNotContain("Idempotency-Replayed");
            assertThat(typed(request)).contains(" 200", body, "Idempotency-Replayed: true");
            assertThat(typed(start.commands("curl").get(1))).contains(" 422");
        }
    }

    @Test
    void eventsAndCallsOfAMethodTakeEffectOnce() throws Exception {
        useRedis();
        QuickStart http = QuickStart.of("http");
        http.writeTo(folder);
        QuickStart start = QuickStart.of("webhooks and methods");
        start.writeTo(folder);
        try (Shell unused = startPayments(http)) {
            String event = start.commands("curl").get(0);
            String other = start.commands("curl").get(1);

            assertThat(typed(event)).contains(" 200", start.output().get(0)).doesNotContain("Idempotency-Replayed");
            assertThat(typed(event)).contains(" 200", start.output().get(0), "Idempotency-Replayed: true");
            assertThat(typed(other)).contains(" 200", start.output().get(1)).doesNotContain("Idempotency-Replayed");
            assertThat(typed(event.replace("order-7", "order-8"))).contains(" 401");
        }
    }

    /** Starts the application in the folder with the command of a quick start, and returns when it is up. */
    private Shell startPayments(QuickStart start) throws IOException {
        port = freePort();
        environment.put("SERVER_PORT", String.valueOf(port));
        Shell application = Shell.type(onlyCommand(start), folder, environment);
        application.prints("Started PaymentsApplication", LONGEST);
        return application;
    }

    @Test
    void theListOfVersionsStandsForThemInAProject() throws Exception {
        String page = Files.readString(Pom.ROOT.resolve("docs/releasing.md"));
        String list = page.substring(page.indexOf("<dependencyManagement>"), page.indexOf("</dependencyManagement>"));
        String start = QuickStart.of("http").page();
        new QuickStart(start.replace("    <dependencies>\n", list + "</dependencyManagement>\n    <dependencies>\n")
                        .replaceFirst("(-starter</artifactId>\\s*)<version>0.*?</version>", "$1"))
                .writeTo(folder);

        try (Shell build = Shell.type("mvn -q -B compile", folder, environment)) {
            build.toItsEnd();
        }
    }

    private static String onlyCommand(QuickStart start) {
        assertThat(start.commands("mvn")).hasSize(1);
        return start.commands("mvn").get(0);
    }

    private String typed(String command) throws IOException, InterruptedException {
        try (Shell shell = Shell.type(command.replace(":8080", ":" + port), folder, environment)) {
            return shell.toItsEnd();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
