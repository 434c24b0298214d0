package io.idem.test.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.idem.servers.CheckedInputs;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import io.idem.test.fuzz.Fuzzing;
import io.idem.test.redis.RedisStoreHarness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts one mistake after the other into the scripts. A short fuzz, or else the store contract, must fail for nearly all of them; what
 * survives is printed, and is either no mistake at all or a test that is missing. Runs if scripts, contract or fuzz have changed,
 * or with {@code -Didem.checked.again=true}.
 */
@Tag("extended")
class ScriptMutationTest {

    private static final Logger LOG = LoggerFactory.getLogger(ScriptMutationTest.class);
    private static final int FUZZ = 1500;
    private static final long SEED = 4711;
    private static final double CAUGHT = 0.9;

    /** Only the replication barrier calls it, and has tests of its own. */
    private static final String OF_THE_GATE = "withdraw.lua";

    private static final CheckedInputs INPUTS = CheckedInputs.of(
            Path.of("src", "test", "mutation.sha256"),
            List.of(
                    Path.of("..", "lua"),
                    Path.of("src", "main", "java", "io", "idem", "test", "contract"),
                    Path.of("src", "test", "java", "io", "idem", "test", "fuzz"),
                    Path.of("src", "test", "java", "io", "idem", "test", "mutation")));

    @Test
    void nearlyEveryMistakeInAScriptIsCaught() throws IOException {
        assumeTrue(INPUTS.areToBeChecked(), "Green before, and neither scripts nor tests have changed since");
        List<Mutant> mutants = mutants();

        List<Mutant> survivors;
        try (RunningRedis server = RedisServers.start(ServerOptions.own())) {
            survivors =
                    mutants.stream().filter(mutant -> survives(mutant, server)).toList();
        }

        LOG.info("Script mutants: {} of {} caught", mutants.size() - survivors.size(), mutants.size());
        survivors.forEach(mutant -> LOG.info("Survived: {}", mutant));
        assertThat(mutants).hasSizeGreaterThan(100);
        assertThat((double) survivors.size()).as("survivors %s", survivors).isLessThan((1 - CAUGHT) * mutants.size());
        INPUTS.green();
    }

    private static List<Mutant> mutants() throws IOException {
        List<Mutant> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("..", "lua"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".lua") && !name.equals(OF_THE_GATE)) {
                    Mutant.of(name.replace(".lua", ""), Files.readString(file)).forEach(all::add);
                }
            }
        }
        return all;
    }

    private static boolean survives(Mutant mutant, RunningRedis server) {
        RedisStoreHarness harness =
                new RedisStoreHarness(server, running -> MutatedScripts.store(mutant, running.uri()));
        try {
            return survivesFuzz(harness) && survivesContract(harness);
        } finally {
            harness.close();
            harness.disconnect();
        }
    }

    private static boolean survivesFuzz(RedisStoreHarness harness) {
        try {
            Fuzzing.run(SEED, harness, FUZZ);
            return true;
        } catch (AssertionError caught) {
            return false;
        } finally {
            harness.close();
        }
    }

    private static boolean survivesContract(RedisStoreHarness harness) {
        Contract.harness.set(harness);
        return EngineTestKit.engine("junit-jupiter")
                        .selectors(selectClass(Contract.class))
                        .execute()
                        .testEvents()
                        .failed()
                        .count()
                == 0;
    }

    /** The contract for the mutant of the moment. */
    static final class Contract extends IdempotencyStoreContract {

        private static final ThreadLocal<StoreHarness> harness = new ThreadLocal<>();

        @Override
        protected StoreHarness open() {
            return harness.get();
        }
    }
}
