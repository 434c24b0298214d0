package io.idem.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The alert rules and the dashboard use only meters and tags that docs/observability.md has; another test compares that
 * page with the code.
 */
class ObservabilityFilesTest {

    private static final Path FILES = Path.of("..", "workshop", "observability");
    private static final Pattern ROW = Pattern.compile("\\| `(idem[a-z.-]+)` \\| ([a-z, ]+) \\|\\s*([^|]*?)\\s*\\|.*");
    private static final Pattern NAME = Pattern.compile("\\bidem_[a-z_]+");
    private static final Pattern WORD = Pattern.compile("([a-z]+)");
    private static final Pattern EXPRESSION = Pattern.compile("(?s)expr: (.*?)\\n +(?:for|labels):");
    private static final Pattern LABELS = Pattern.compile("by \\(([a-z, ]+)\\)");
    private static final Pattern MATCHER = Pattern.compile("[{,]\\s*([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");
    private static final Pattern TESTED = Pattern.compile("alertname: (\\w+)\\n\\s+exp_alerts:\\n\\s+- exp_labels");

    /** The tags of each meter by its name in Prometheus. */
    private static final Map<String, Set<String>> METRICS = new HashMap<>();

    @BeforeAll
    static void register() throws IOException {
        for (String line : Files.readAllLines(Path.of("..", "docs", "observability.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Set<String> tags = new HashSet<>(all(WORD, row.group(3)));
                PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
                register(row.group(1), row.group(2).strip(), registry);
                names(registry.scrape()).forEach(name -> METRICS.put(name, tags));
            }
        }
        assertThat(METRICS).hasSizeGreaterThan(20);
    }

    private static void register(String name, String type, MeterRegistry registry) {
        switch (type) {
            case "timer" -> Timer.builder(name).register(registry).record(1, TimeUnit.MILLISECONDS);
            case "long task timer" -> LongTaskTimer.builder(name).register(registry);
            case "counter" -> Counter.builder(name).register(registry);
            case "gauge" -> Gauge.builder(name, () -> 1).register(registry);
            case "gauge, seconds" ->
                TimeGauge.builder(name, () -> 1, TimeUnit.SECONDS).register(registry);
            default -> throw new IllegalStateException("docs/observability.md calls " + name + " a " + type);
        }
    }

    private static Set<String> names(String text) {
        Set<String> names = new HashSet<>();
        Matcher matcher = NAME.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private static String read(String file) throws IOException {
        return Files.readString(FILES.resolve(file));
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static void check(String expression) {
        Set<String> names = names(expression);
        assertThat(METRICS.keySet()).as(expression).containsAll(names);
        List<String> labels = new ArrayList<>(all(MATCHER, expression));
        all(LABELS, expression).forEach(found -> labels.addAll(all(WORD, found)));
        names.forEach(name -> assertThat(METRICS.get(name)).as(expression).containsAll(labels));
    }

    @Test
    void everyAlertAsksForMetersAndTagsThatThereAre() throws IOException {
        String rules = read("alerts.yml");
        List<String> expressions = all(EXPRESSION, rules);

        assertThat(expressions).hasSameSizeAs(all(ALERT, rules)).isNotEmpty();
        expressions.forEach(expression -> assertThat(names(expression)).isNotEmpty());
        expressions.forEach(ObservabilityFilesTest::check);
    }

    @Test
    void everyAlertIsSeenFiringByItsTest() throws IOException {
        assertThat(all(TESTED, read("alerts-test.yml"))).containsAll(all(ALERT, read("alerts.yml")));
        assertThat(METRICS.keySet()).containsAll(names(read("alerts-test.yml")));
    }

    @Test
    void everyPanelOfTheDashboardAsksForMetersAndTagsThatThereAre() throws IOException {
        JsonNode dashboard = JsonMapper.builder().build().readTree(read("grafana/dashboards/idem.json"));
        List<String> expressions = dashboard.findValuesAsString("expr");

        assertThat(expressions).hasSizeGreaterThan(10);
        expressions.forEach(expression -> assertThat(names(expression)).isNotEmpty());
        expressions.forEach(ObservabilityFilesTest::check);
        assertThat(METRICS.keySet()).containsAll(names(dashboard.toString()));
    }
}
