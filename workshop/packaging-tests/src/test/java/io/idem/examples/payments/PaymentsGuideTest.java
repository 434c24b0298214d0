package io.idem.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.examples.GuidePage;
import io.idem.gateway.service.GatewayApplication;
import io.idem.servers.AmqpServers;
import io.idem.servers.KafkaServers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.qpid.QpidDeclarations;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.DeclarableCustomizer;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.web.client.RestClient;

/** Intake and consumer of docs/guide-payments.md, with the settings and the tables that stand there and a stub in the provider's place. */
@Tag("extended")
class PaymentsGuideTest {

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final RunningAmqp broker = AmqpServers.start(ServerOptions.own());
    private final RunningKafka kafka = KafkaServers.start(ServerOptions.own());
    private final RunningPostgres postgres = PostgresServers.start(ServerOptions.own());

    @BeforeEach
    void bePatient() {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }

    @AfterEach
    void end() {
        Awaitility.reset();
        postgres.close();
        kafka.close();
        broker.close();
        redis.close();
    }

    @Test
    void aPaymentSentTwiceIsBookedOnceAndARefusedOneBecomesADeadLetter() {
        try (ConfigurableApplicationContext consumer = startConsumer()) {
            RabbitTemplate rabbit = consumer.getBean(RabbitTemplate.class);
            JdbcClient jdbc = consumer.getBean(JdbcClient.class);

            new TwiceTheSame(rabbit, jdbc).aPaymentThatComesTwiceIsBookedOnce();
            sendRefused(rabbit);

            await().until(() -> receipts(jdbc) == 2);
            Message dead = rabbit.receive("payments.dead", Duration.ofMinutes(2).toMillis());
            assertThat(dead).isNotNull();
            assertThat(String.valueOf(dead.getMessageProperties().<Object>getHeader(IdempotencyHeaders.REASON)))
                    .contains("refused");
            assertThat(consumer.getBean(Stub.class).charged.stream().distinct()).hasSize(3);
            assertThat(receipts(jdbc)).isEqualTo(2);
        }
    }

    @Test
    void aRequestSentTwiceIsAnsweredAlikeAndItsClientLearnsOfTheOutcome() throws Exception {
        try (ConfigurableApplicationContext intake = startIntake()) {
            Client client = new Client(intake.getEnvironment().getRequiredProperty("local.server.port"));
            assertThat(client.pay("try-1", 1250).statusCode())
                    .as("nobody is there yet")
                    .isEqualTo(503);

            try (ConfigurableApplicationContext consumer = startConsumer()) {
                HttpResponse<String> first = client.pay("try-1", 1250);
                HttpResponse<String> second = client.pay("try-1", 1250);

                assertThat(first.statusCode()).isEqualTo(202);
                assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
                assertThat(second.statusCode()).isEqualTo(202);
                assertThat(second.body()).isEqualTo(first.body());
                assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
                assertThat(client.pay("try-1", 1251).statusCode()).isEqualTo(422);

                await().until(() -> client.outcome("try-1").contains("\"scope\":\"payments\",\"state\":\"COMPLETED\""));
                JdbcClient jdbc = consumer.getBean(JdbcClient.class);
                await().until(() -> receipts(jdbc) == 1);
                String booked = jdbc.sql("SELECT payment_id FROM ledger")
                        .query(String.class)
                        .single();
                assertThat(first.body()).isEqualTo("{\"paymentId\":\"" + booked + "\",\"status\":\"accepted\"}");
            }
        }
    }

    /** With an API key whose digest the page does not have. */
    private ConfigurableApplicationContext startIntake() {
        return GuidePage.of("guide-payments.md")
                .before("## The consumer")
                .serve(
                        GatewayApplication.class,
                        "idem.jdbc.enabled=false", // the intake has no database, this module has the libraries
                        "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
                        "idem.gateway.api-keys[0].tenant=north",
                        "idem.gateway.api-keys[0].key=" + Client.API_KEY,
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.rabbitmq.host=" + broker.host(),
                        "spring.rabbitmq.port=" + broker.port(),
                        "spring.rabbitmq.username=" + broker.username(),
                        "spring.rabbitmq.password=" + broker.password(),
                        "spring.rabbitmq.virtual-host=" + broker.virtualHost());
    }

    private ConfigurableApplicationContext startConsumer() {
        return GuidePage.of("guide-payments.md")
                .start(
                        Service.class,
                        "idem.jdbc.initialize-schema=always", // in place of migrations
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.rabbitmq.host=" + broker.host(),
                        "spring.rabbitmq.port=" + broker.port(),
                        "spring.rabbitmq.username=" + broker.username(),
                        "spring.rabbitmq.password=" + broker.password(),
                        "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                        "spring.datasource.url=" + postgres.jdbcUrl(),
                        "spring.datasource.username=" + postgres.user(),
                        "spring.datasource.password=" + postgres.password());
    }

    private static void sendRefused(RabbitTemplate rabbit) {
        PaymentRequested payment = new PaymentRequested("without-money", 1250, "EUR");
        rabbit.convertAndSend("payments", "payment.requested", payment, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, "try-3");
            return message;
        });
    }

    private static long receipts(JdbcClient jdbc) {
        return jdbc.sql("SELECT count(*) FROM receipts").query(Long.class).single();
    }

    /** In the provider's place. */
    static class Stub extends Provider {

        final Queue<String> charged = new ConcurrentLinkedQueue<>();

        Stub() {
            super(RestClient.builder());
        }

        @Override
        Charge charge(String key, PaymentRequested payment) {
            charged.add(key);
            if (payment.account().equals("without-money")) {
                throw new CardRefusedException(payment.account());
            }
            return new Charge("charge of " + key);
        }

        @Override
        Optional<Charge> find(String key) {
            return Optional.empty();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Messages.class, PaymentsListener.class, Receipts.class})
    static class Service {

        @Bean
        Stub provider() {
            return new Stub();
        }

        /** Before the listeners begin. */
        @Bean
        JdbcTemplate tables(DataSource database) {
            JdbcTemplate jdbc = new JdbcTemplate(database);
            GuidePage.of("guide-payments.md").tables().forEach(jdbc::execute);
            return jdbc;
        }

        @Bean
        KafkaAdmin.NewTopics topics() {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name("payment.settled").partitions(1).build(),
                    TopicBuilder.name("payment.settled-dlt").partitions(1).build());
        }

        /** The embedded broker has words of its own for a queue's arguments. */
        @Bean
        DeclarableCustomizer inTheWordsOfTheBroker() {
            return declared -> declared instanceof org.springframework.amqp.core.Queue queue
                    ? new org.springframework.amqp.core.Queue(
                            queue.getName(),
                            queue.isDurable(),
                            queue.isExclusive(),
                            queue.isAutoDelete(),
                            QpidDeclarations.queueArguments(queue.getArguments()))
                    : declared;
        }
    }
}
