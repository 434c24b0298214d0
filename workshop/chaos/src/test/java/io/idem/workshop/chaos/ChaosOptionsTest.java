package io.idem.workshop.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StoreKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the command line of {@code workshop/chaos.sh}. */
class ChaosOptionsTest {

    @Test
    void everyClassOfFaultsIsTriedUnlessSomeAreNamed() {
        List<FaultClass> ofRedis = ChaosOptions.parse().classes();
        List<FaultClass> ofInbox = ChaosOptions.parse("--store", "inbox").classes();

        assertThat(Stream.of(ofRedis, ofInbox).flatMap(List::stream).distinct())
                .containsExactlyInAnyOrder(FaultClass.values());
        assertThat(ofRedis).contains(FaultClass.REDIS_LOSS, FaultClass.INTAKE).doesNotContain(FaultClass.DB_RESTART);
        assertThat(ofInbox)
                .contains(FaultClass.KILL, FaultClass.DB_RESTART)
                .doesNotContain(FaultClass.REDIS_LOSS, FaultClass.INTAKE);
        assertThat(ChaosOptions.parse("--classes", "kill,redis-loss").classes())
                .containsExactly(FaultClass.KILL, FaultClass.REDIS_LOSS);
    }

    @Test
    void theFullRunIsLargeEnoughForItsTarget() {
        ChaosOptions full = ChaosOptions.parse("--full");

        int rounds = full.size().rounds();
        assertThat(rounds * full.classes().stream().mapToInt(full::messages).sum())
                .isGreaterThanOrEqualTo(100_000);
        assertThat(StoreKind.REDIS.lanes())
                .allSatisfy(lane -> assertThat(rounds * faults(full, lane)).isGreaterThanOrEqualTo(500));
    }

    @Test
    void whereApplicationsGoAndComeTheLoadIsLighterUnlessARateIsGiven() {
        ChaosOptions full = ChaosOptions.parse("--full");

        assertThat(full.rate(FaultClass.KILL)).isLessThan(full.rate(FaultClass.REDIS_LOSS));
        assertThat((double) full.messages(FaultClass.KILL) / full.rate(FaultClass.KILL))
                .isEqualTo((double) full.messages(FaultClass.NONE) / full.rate(FaultClass.NONE));
        assertThat(ChaosOptions.parse("--full", "--rate", "20").rate(FaultClass.KILL))
                .isEqualTo(20);
    }

    /**
     * Returns the number of a lane's faults: those that name a lane are dealt in turn to all lanes, or to those of
     * RabbitMQ.
     */
    private static int faults(ChaosOptions options, Lane lane) {
        return options.classes().stream()
                .filter(each -> FaultRecord.of(each, "", 0).hits(lane))
                .mapToInt(each -> options.faults(each) / shares(each))
                .sum();
    }

    private static int shares(FaultClass faultClass) {
        return switch (faultClass) {
            case KILL, FREEZE, INTAKE, DUPLICATE, REDRIVE, ZOMBIE -> 4;
            case UNBOUND, BUSY -> 2;
            default -> 1;
        };
    }

    @Test
    void withASmallDeliveryLimitWaitsInPlaceAreShort() {
        assertThat(ChaosOptions.parse("--delivery-limit", "3"))
                .returns(3, ChaosOptions::deliveryLimit)
                .returns(Map.of("idem.consumer.in-place-wait", "1s"), ChaosOptions::waits);
        assertThat(ChaosOptions.parse().waits()).isEmpty();
    }

    @Test
    void aClassThatStrikesNothingIsRefused() {
        assertThatThrownBy(() -> ChaosOptions.parse("--store", "inbox", "--classes", "kill,redis-loss"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'redis-loss'")
                .hasMessageContaining("no Redis");
        assertThatThrownBy(() -> ChaosOptions.parse("--classes", "db-cut"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'db-cut'");
        assertThatThrownBy(() -> ChaosOptions.parse("--store", "inbox", "--flaw", "counter-fence"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'counter-fence'");
    }

    @Test
    void aMistakeIsNamed() {
        assertThatThrownBy(() -> ChaosOptions.parse("--classes", "rust"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'rust'")
                .hasMessageContaining("redis-loss");
        assertThatThrownBy(() -> ChaosOptions.parse("--seed", "x")).hasMessageContaining("--seed");
        assertThatThrownBy(() -> ChaosOptions.parse("--sed")).hasMessageContaining("--sed");
        assertThatThrownBy(() -> ChaosOptions.parse("--seed")).hasMessageContaining("needs a value");
    }

    @Test
    void theUsageTextNamesEveryClassAndEveryFlaw() throws IOException {
        try (InputStream text =
                Objects.requireNonNull(ChaosOptionsTest.class.getResourceAsStream("/chaos-usage.txt"))) {
            String usage = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(Arrays.stream(FaultClass.values()).map(FaultClass::id)).allMatch(usage::contains);
            assertThat(Arrays.stream(Flaw.values())
                            .filter(flaw -> flaw != Flaw.NONE)
                            .map(Flaw::id))
                    .allMatch(usage::contains);
        }
    }
}
