package io.idem.consumer.contract;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs a contract inside a test. */
final class ContractFailures {

    private ContractFailures() {}

    /** The display names of the tests that fail. */
    static List<String> of(Class<?> contract) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(contract))
                .execute()
                .testEvents()
                .failed()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .toList();
    }
}
