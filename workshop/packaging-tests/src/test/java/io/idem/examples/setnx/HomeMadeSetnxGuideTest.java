package io.idem.examples.setnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.examples.GuidePage;
import io.idem.servers.AmqpServers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** The versions of docs/guide-home-made-setnx.md: the one before, the step in which both are in force, the way back, and the end. */
@Tag("extended")
class HomeMadeSetnxGuideTest {

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final RunningAmqp broker = AmqpServers.start(ServerOptions.own());

    @BeforeEach
    void bePatient() {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }

    @AfterEach
    void end() {
        Awaitility.reset();
        broker.close();
        redis.close();
    }

    @Test
    void theVersionBeforeLosesWhatDiedBehindItsMarkerAndDoublesWhatOutlivesIt() {
        redis.command("SET", "paid:p-1", "1"); // its worker was killed before the effect
        try (ConfigurableApplicationContext before = startWithoutDatabase(
                Before.class,
                "spring.rabbitmq.listener.simple.concurrency=2",
                "spring.rabbitmq.listener.simple.prefetch=1")) {
            FaultyLedger ledger = before.getBean(FaultyLedger.class);

            send(before, "p-1", "p-slow");
            await().until(() -> ledger.begun().contains("p-slow"));
            redis.command("DEL", "paid:p-slow"); // as when it expires
            send(before, "p-slow");
            await().until(() -> ledger.booked().contains("p-slow"));
            ledger.goOn();
            send(before, "p-2");

            await().until(() -> ledger.booked().size() == 3);
            assertThat(ledger.booked()).containsExactlyInAnyOrder("p-slow", "p-slow", "p-2");
        }
    }

    @Test
    void oldMarksStayAndNewPaymentsAreBookedOnceAfterAFailureAndAReturn() {
        redis.command("SET", "paid:p-1", "1");
        try (ConfigurableApplicationContext between = startWithoutDatabase(Between.class)) {
            FaultyLedger ledger = between.getBean(FaultyLedger.class);

            send(between, "p-1", "p-2", "p-2", "p-fails", "p-4");

            await().until(() -> ledger.booked().containsAll(Set.of("p-2", "p-fails", "p-4")));
            await().until(() -> redis.command("GET", "paid:p-4").equals("idem"));
            await().until(() -> redis.command("GET", "paid:p-fails").equals("idem"));
            assertThat(ledger.booked()).containsExactlyInAnyOrder("p-2", "p-fails", "p-4");
            assertThat(redis.command("GET", "paid:p-1")).isEqualTo("1");

            redis.command("DEL", "paid:p-1"); // as when it expires: from now on its record answers
            send(between, "p-1", "p-5");

            await().until(() -> redis.command("GET", "paid:p-5").equals("idem"));
            assertThat(ledger.booked()).containsExactlyInAnyOrder("p-2", "p-fails", "p-4", "p-5");
        }
        try (ConfigurableApplicationContext before = startWithoutDatabase(Before.class)) {
            FaultyLedger ledger = before.getBean(FaultyLedger.class);

            send(before, "p-2", "p-fails", "p-5", "p-6");

            await().until(() -> ledger.booked().contains("p-6"));
            assertThat(ledger.booked()).containsExactly("p-6");
        }
    }

    @Test
    void inTheEndTheInboxAloneDecides() {
        try (RunningPostgres postgres = PostgresServers.start(ServerOptions.own());
                ConfigurableApplicationContext after = start(
                        After.class,
                        "idem.jdbc.initialize-schema=always", // in place of migrations
                        "spring.datasource.url=" + postgres.jdbcUrl(),
                        "spring.datasource.username=" + postgres.user(),
                        "spring.datasource.password=" + postgres.password())) {
            JdbcLedger ledger = after.getBean(JdbcLedger.class);

            send(after, "p-2", "p-2", "p-fails", "p-4");

            await().until(() -> ledger.booked().containsAll(Set.of("p-2", "p-fails", "p-4")));
            assertThat(ledger.booked()).containsExactlyInAnyOrder("p-2", "p-fails", "p-4");
        }
    }

    private ConfigurableApplicationContext startWithoutDatabase(Class<?> service, String... others) {
        Stream<String> none = Stream.of(
                "idem.jdbc.enabled=false", // the service has no database, this module has the libraries
                "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName());
        return start(service, Stream.concat(none, Stream.of(others)).toArray(String[]::new));
    }

    private ConfigurableApplicationContext start(Class<?> service, String... others) {
        Stream<String> servers = Stream.of(
                "spring.application.name=payments",
                "spring.data.redis.url=" + redis.uri(),
                "spring.rabbitmq.host=" + broker.host(),
                "spring.rabbitmq.port=" + broker.port(),
                "spring.rabbitmq.username=" + broker.username(),
                "spring.rabbitmq.password=" + broker.password(),
                "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                "spring.rabbitmq.publisher-confirm-type=correlated",
                "spring.rabbitmq.publisher-returns=true");
        return GuidePage.of("guide-home-made-setnx.md")
                .start(service, Stream.concat(servers, Stream.of(others)).toArray(String[]::new));
    }

    private static void send(ConfigurableApplicationContext application, String... ids) {
        RabbitTemplate rabbit = application.getBean(RabbitTemplate.class);
        List.of(ids).forEach(id -> rabbit.convertAndSend("payments", new Payment(id, 100)));
    }

    @Import({PaymentsBefore.class, FaultyLedger.class})
    static class Before extends Service {}

    @Import({Markers.class, PaymentsBetween.class, FaultyLedger.class})
    static class Between extends Service {}

    @Import({PaymentsAfter.class, JdbcLedger.class})
    static class After extends Service {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    abstract static class Service {

        @Bean
        Queue payments() {
            return new Queue("payments");
        }

        @Bean
        JacksonJsonMessageConverter json() {
            return new JacksonJsonMessageConverter();
        }
    }

    /** Fails once behind its insert. */
    static class JdbcLedger implements Ledger {

        private final JdbcTemplate jdbc;
        private boolean failed;

        JdbcLedger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE payments (id text)");
        }

        @Override
        public synchronized void book(Payment payment) {
            jdbc.update("INSERT INTO payments (id) VALUES (?)", payment.id());
            if (payment.id().equals("p-fails") && !failed) {
                failed = true;
                throw new IllegalStateException("the first attempt fails");
            }
        }

        List<String> booked() {
            return jdbc.queryForList("SELECT id FROM payments", String.class);
        }
    }
}
