package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.LongStringHelper;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.HeaderValues;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys as clients that know neither idem nor Spring put them on the wire: read as what they are, or refused. */
class RabbitForeignProducerTest extends RabbitScenario {

    private static final String SOURCES = "idem.consumer.key-sources=headers,message-id,cloud-events";

    private Connection connection;
    private Channel channel;

    @BeforeEach
    void connect() throws IOException, TimeoutException {
        RunningAmqp broker = SharedServers.amqp();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        factory.setUsername(broker.username());
        factory.setPassword(broker.password());
        factory.setVirtualHost(broker.virtualHost());
        connection = factory.newConnection();
        channel = connection.createChannel();
        launch(AutoListeners.class, SOURCES, NO_RETRY);
    }

    @AfterEach
    void disconnect() throws IOException {
        connection.close();
    }

    private void publish(String body, AMQP.BasicProperties properties) throws IOException {
        channel.basicPublish(
                app().name(),
                PAYMENTS,
                properties.builder().contentType("text/plain").build(),
                body.getBytes(StandardCharsets.UTF_8));
    }

    private static AMQP.BasicProperties headers(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> headers = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return new AMQP.BasicProperties.Builder().headers(headers).build();
    }

    private static AMQP.BasicProperties messageId(String id) {
        return new AMQP.BasicProperties.Builder().messageId(id).build();
    }

    private Map<String, String> keysByBody() {
        return script().calls().stream()
                .collect(Collectors.toMap(
                        ListenerScript.Call::body, call -> call.context().key().value()));
    }

    private static Map<String, AMQP.BasicProperties> readable() {
        Map<String, AMQP.BasicProperties> messages = new LinkedHashMap<>();
        messages.put("text", headers("x-idempotency-key", "text"));
        messages.put("long-string", headers("x-idempotency-key", LongStringHelper.asLongString("long-string")));
        messages.put("ü".repeat(1000), headers("x-idempotency-key", "ü".repeat(1000)));
        messages.put("bytes", headers("x-idempotency-key", "bytes".getBytes(StandardCharsets.UTF_8)));
        messages.put("4711", headers("x-idempotency-key", 4711));
        messages.put("-4712", headers("x-idempotency-key", -4712L));
        messages.put("4713", headers("x-idempotency-key", (short) 4713));
        messages.put("standard", headers("idempotency-key", "standard"));
        messages.put("mixed case", headers("X-Idempotency-Key", "mixed case"));
        messages.put("two spellings", headers("Idempotency-Key", "two spellings", "IDEMPOTENCY-KEY", "two spellings"));
        messages.put("id", messageId("id"));
        messages.put("6:/shop1ev1", headers("cloudEvents:source", "/shop1", "cloudEvents:id", "ev1"));
        messages.put("6:/shop2ev2", headers("cloudEvents_source", "/shop2", "cloudEvents_id", "ev2"));
        messages.put("6:/shop3ev3", headers("ce-source", "/shop3", "Ce-Id", "ev3"));
        return messages;
    }

    @Test
    void keysOfEveryKindAreReadAsWhatTheyAre() throws Exception {
        Map<String, AMQP.BasicProperties> messages = readable();
        for (int round = 0; round < 2; round++) {
            for (Map.Entry<String, AMQP.BasicProperties> message : messages.entrySet()) {
                publish(message.getKey(), message.getValue());
            }
        }

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2L * messages.size());
        assertThat(keysByBody())
                .hasSameSizeAs(messages)
                .allSatisfy((body, key) -> assertThat(key).isEqualTo(body));
    }

    private static Map<String, AMQP.BasicProperties> unreadable() {
        Map<String, AMQP.BasicProperties> messages = new LinkedHashMap<>();
        messages.put("too long", headers("x-idempotency-key", "k".repeat(1025)));
        messages.put("empty", headers("x-idempotency-key", ""));
        messages.put("control character", headers("x-idempotency-key", "a\u0000b"));
        messages.put("bytes in Latin-1", headers("x-idempotency-key", latin1("schlüssel")));
        messages.put("text in Latin-1", headers("x-idempotency-key", LongStringHelper.asLongString(latin1("grün"))));
        messages.put(
                "other text in Latin-1", headers("x-idempotency-key", LongStringHelper.asLongString(latin1("grän"))));
        messages.put("nothing", headers("x-idempotency-key", null));
        messages.put("boolean", headers("x-idempotency-key", true));
        messages.put("fraction", headers("x-idempotency-key", 0.1));
        messages.put("list", headers("x-idempotency-key", List.of("k")));
        messages.put("table", headers("x-idempotency-key", Map.of("k", "v")));
        messages.put("two keys", headers("x-idempotency-key", "k1", "X-Idempotency-Key", "k2"));
        messages.put("half an event", headers("cloudEvents:id", "ev1"));
        return messages;
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void whatCannotBeReadIsADeadLetterAndNothingElseIsHeldForItsDuplicate() throws Exception {
        Map<String, AMQP.BasicProperties> messages = unreadable();
        for (Map.Entry<String, AMQP.BasicProperties> message : messages.entrySet()) {
            publish(message.getKey(), message.getValue());
        }
        publish("sound", headers("x-idempotency-key", "sound"));

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(events(ConsumerEvent.DeadLettered.class)).hasSize(messages.size());
        // Qpid, unlike RabbitMQ, cannot move a message whose header it cannot read.
        messages.keySet().removeIf(body -> body.endsWith("text in Latin-1"));
        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(app().deadLetters()).containsAll(messages.keySet()));
        assertThat(keysByBody()).isEqualTo(Map.of("sound", "sound"));
    }

    @Test
    void whateverIsSentForAKeyIsThatKeyOrNone() throws Exception {
        HeaderValues values = new HeaderValues(HeaderValues.SEED);
        List<Object> sent =
                IntStream.range(0, 200).mapToObj(i -> values.value()).toList();
        for (int i = 0; i < sent.size(); i++) {
            publish("m" + i, headers("x-idempotency-key", sent.get(i)));
        }
        Set<String> keys =
                sent.stream().map(HeaderValues::key).flatMap(Optional::stream).collect(Collectors.toSet());
        long refused =
                sent.stream().map(HeaderValues::key).filter(Optional::isEmpty).count();

        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(app().deadLetters()).hasSize((int) refused));
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == sent.size() - refused);
        assertThat(keysByBody().values()).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(keysByBody())
                .allSatisfy((body, key) -> assertThat(HeaderValues.key(sent.get(Integer.parseInt(body.substring(1)))))
                        .contains(key));
        assertThat(log().count(EventLog.DELIVERY)).as("nothing loops").isEqualTo(sent.size());
    }
}
