package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.MissingKeyPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** docs/observability.md says what listeners register, and the other way round. */
@org.junit.jupiter.api.Tag("servers")
class MeteredDeliveriesTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Scope SCOPE = new Scope("payments");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MeteredDeliveries deliveries = new MeteredDeliveries(registry);
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemConsumerMetersAutoConfiguration.class));

    @Test
    void everyMeterOfListenersIsThereWithItsTypeAndItsTagsAndNoOther() throws Exception {
        Stream.of(
                        new ConsumerEvent.KeyMissing(SCOPE, "rabbit", MissingKeyPolicy.RUN_UNGUARDED),
                        new ConsumerEvent.KeyInvalid(SCOPE, "rabbit"),
                        new ConsumerEvent.Duplicate(SCOPE, "kafka"),
                        new ConsumerEvent.Deferred(SCOPE, "kafka", Duration.ZERO),
                        new ConsumerEvent.Paused(SCOPE, "kafka"),
                        new ConsumerEvent.Resumed(SCOPE, "kafka"),
                        new ConsumerEvent.DeadLettered(SCOPE, "kafka", "hopeless"),
                        new ConsumerEvent.Unroutable(SCOPE, "rabbit", "events", "order.placed"))
                .forEach(deliveries::on);

        runner.withBean(MeterRegistry.class, () -> registry)
                .run(context -> context.getBean(MeterBinder.class).bindTo(registry));

        Set<String> registered = registry.getMeters().stream()
                .map(meter -> row(
                        meter.getId().getName(),
                        meter.getId().getType().name().toLowerCase(Locale.ROOT),
                        meter.getId().getTags().stream().map(Tag::getKey)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(registered).isEqualTo(documented());
    }

    @Test
    void aPauseLastsUntilTheStoreIsBack() {
        deliveries.on(new ConsumerEvent.Paused(SCOPE, "rabbit"));
        assertThat(paused()).isEqualTo(1);

        deliveries.on(new ConsumerEvent.Resumed(SCOPE, "rabbit"));
        assertThat(paused()).isZero();
    }

    @Test
    void theyAreThereForApplicationsThatMeasure() {
        runner.withBean(MeterRegistry.class, () -> registry)
                .run(context -> assertThat(context).hasSingleBean(MeteredDeliveries.class));
        runner.run(context -> assertThat(context).doesNotHaveBean(MeteredDeliveries.class));
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private double paused() {
        return registry.get("idem.consumer.paused").gauge().value();
    }

    private static Set<String> documented() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "observability.md"));
        String section = page.substring(page.indexOf("### Listeners"));
        return section.substring(0, section.indexOf("\n#", 5))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|"))
                .map(cells -> row(
                        cells[1].strip().replace("`", ""),
                        cells[2].strip(),
                        CODE.matcher(cells[3]).results().map(tag -> tag.group(1))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String row(String name, String type, Stream<String> tags) {
        return name + " " + type + " " + tags.sorted().toList();
    }
}
