package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.ScopePolicies;
import io.idem.gateway.RejectedOperations;
import io.idem.gateway.handoff.HandOff;
import io.idem.memory.InMemoryIdempotencyStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ConfiguredIntakeRoutesTest {

    private static void build(String afterRejection, boolean inboxAlways) {
        build("/v1/payments", "{key}", afterRejection, inboxAlways);
    }

    private static void build(String path, String partitionKey, String afterRejection, boolean inboxAlways) {
        IdemGatewayProperties properties = new Binder(new MapConfigurationPropertySource(Map.of(
                        "idem.gateway.routes[0].path", path,
                        "idem.gateway.routes[0].topic", "payments",
                        "idem.gateway.routes[0].partition-key", partitionKey,
                        "idem.gateway.routes[0].await[0]", "payments",
                        "idem.gateway.routes[0].after-rejection", afterRejection)))
                .bind("idem.gateway", IdemGatewayProperties.class)
                .get();
        RejectedOperations rejected =
                new RejectedOperations(new InMemoryIdempotencyStore(), ScopePolicies.same(ExecutionPolicy.defaults()));
        HandOff handOff = new HandOff(
                () -> {
                    throw new UnsupportedOperationException("a route asks for RabbitMQ after the checks");
                },
                () -> {
                    throw new UnsupportedOperationException("a route asks for Kafka after the checks");
                });
        var unused = new ConfiguredIntakeRoutes(properties, handOff, rejected, null, inboxAlways, null).routes();
    }

    @Test
    void reopeningIsRefusedByItsSettingWhereTheInboxIsTheStore() {
        assertThatThrownBy(() -> build("reopen", true))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        refusal -> assertThat(refusal.action()).contains("Set it to answer", "idem.store"))
                .hasMessageContaining("Setting idem.gateway.routes[0].after-rejection is reopen")
                .hasMessageContaining("idem.store=inbox");
    }

    @Test
    void aVariableOfTheWholeRestIsKnownByItsName() {
        assertThatThrownBy(() -> build("/v1/files/{*rest}", "{rest}", "answer", false))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> build("/v1/files/{*id}", "{id}", "answer", false))
                .hasMessageContaining("has a variable {id}");
    }

    @Test
    void otherRoutesPassTheCheck() {
        assertThatThrownBy(() -> build("answer", true)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> build("reopen", false)).isInstanceOf(UnsupportedOperationException.class);
    }
}
