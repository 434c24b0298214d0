package io.idem.http.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
        try (App app = App.start(type, application, settings())) {
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
    void thereAreThreeLines() {
        assertThat(blocks().get(0).lines()).hasSize(3);
    }

    private String[] settings() {
        List<String> settings = new ArrayList<>(lines(blocks().get(0)));
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
