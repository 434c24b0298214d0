package io.idem.http.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Signatures;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** The set-up of docs/http.md, word for word: its lines are the settings of minimal applications, whose code it shows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class ThreeLinesTest {

    private static final Pattern BLOCK = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    private final String page = read(Path.of("..", "docs", "http.md"));
    private RunningRedis redis;

    @BeforeAll
    void start() {
        redis = RedisServers.start(ServerOptions.own());
    }

    @AfterAll
    void stop() {
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({
        "SERVLET, io.idem.http.setup.Controller, /v1/payments",
        "SERVLET, io.idem.http.setup.Functions, /v1/payments",
        "SERVLET, io.idem.http.setup.Functions, /v1/refunds",
        "REACTIVE, io.idem.http.setup.Endpoint, /v1/payments"
    })
    void theSameLinesProtectEveryKindOfEndpoint(WebApplicationType type, Class<?> application, String path) {
        try (App app = App.start(type, application, settings(blocks().get(0)))) {
            Client client = app.client();
            String key = Client.newKey();
            Answer first = client.post(path, key, "tea");
            Answer second = client.post(path, key, "tea");
            Answer withoutKey = client.send(client.request(path).POST(BodyPublishers.ofString("tea")));

            assertThat(first.body()).isEqualTo("tea is entry 1");
            assertThat(second.replayed()).isTrue();
            assertThat(second.bytes()).isEqualTo(first.bytes());
            assertThat(withoutKey.status()).isEqualTo(400);
            assertThat(app.bean(Ledger.class).entries()).isEqualTo(1);
        }
    }

    @Test
    void theLinesOfWebhooksProtectTheirHandlers() {
        List<String> settings = new ArrayList<>(List.of(settings(webhooks())));
        settings.addAll(List.of("STRIPE_SECRET=" + Signatures.SECRET, "GITHUB_SECRET=" + Signatures.SECRET));
        try (App app = App.start(WebApplicationType.SERVLET, Webhooks.class, settings.toArray(String[]::new))) {
            String event = "{\"id\":\"evt_1\",\"account\":7,\"event\":{\"number\":1}}";
            Map<String, String> github = new HashMap<>(Signatures.github(event));
            github.put("X-GitHub-Delivery", Client.newKey());

            assertThat(delivered(app, "stripe", event, Signatures.stripe(event)))
                    .isEqualTo("200 false, 200 true");
            assertThat(delivered(app, "github", event, github)).isEqualTo("200 false, 200 true");
            assertThat(delivered(
                            app,
                            "parcels",
                            event,
                            Map.of("X-Parcel-Sum", ParcelSignature.sumOf(event.getBytes(StandardCharsets.UTF_8)))))
                    .isEqualTo("200 false, 200 true");
            assertThat(delivered(app, "parcels", event, Map.of())).isEqualTo("401 false, 401 false");
            assertThat(app.bean(Ledger.class).entries()).isEqualTo(3);
        }
    }

    /** Delivers an event twice; returns the statuses, and whether they are replays. */
    private static String delivered(App app, String sender, String event, Map<String, String> headers) {
        Client client = app.client();
        HttpRequest.Builder request = client.request("/webhooks/" + sender).POST(BodyPublishers.ofString(event));
        headers.forEach(request::header);
        Answer first = client.send(request);
        Answer second = client.send(request);
        return first.status() + " " + first.replayed() + ", " + second.status() + " " + second.replayed();
    }

    private String webhooks() {
        return blocks().stream()
                .filter(block -> block.contains("key.preset"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thereAreThreeLines() {
        assertThat(blocks().get(0).lines()).hasSize(3);
    }

    private String[] settings(String block) {
        List<String> settings = new ArrayList<>(lines(block));
        settings.add("spring.data.redis.host=" + redis.host());
        settings.add("spring.data.redis.port=" + redis.port());
        return settings.toArray(String[]::new);
    }

    private static List<String> lines(String yaml) {
        try {
            PropertySource<?> source = new YamlPropertySourceLoader()
                    .load("docs", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .get(0);
            return List.of(((EnumerablePropertySource<?>) source).getPropertyNames()).stream()
                    .map(name -> name + "=" + source.getProperty(name))
                    .toList();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private List<String> blocks() {
        return BLOCK.matcher(page).results().map(found -> found.group(1)).toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
