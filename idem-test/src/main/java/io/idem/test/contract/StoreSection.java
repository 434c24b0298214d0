package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.support.TypeBasedParameterResolver;
import org.junit.jupiter.params.ParameterizedInvocationConstants;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The common parts of the sections of the contract. A rule is a field of type {@link Rule}, whose name is the name of its
 * test. Durations are long and compared with {@link #SLACK}, because the clock of a server goes on while a test runs.
 */
@ExtendWith(StoreSection.OpenedHarness.class)
abstract class StoreSection {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Duration RETENTION = Duration.ofHours(24);
    static final Duration SLACK = Duration.ofMinutes(1);
    static final Duration NEARLY_RETENTION = RETENTION.minus(SLACK);
    static final Fingerprint HUNDRED = Fingerprint.of("amount=100".getBytes(StandardCharsets.UTF_8));
    static final Fingerprint THOUSAND = Fingerprint.of("amount=1000".getBytes(StandardCharsets.UTF_8));
    static final StoredResult RECEIPT = StoredResult.of("json", "{\"receipt\":1}".getBytes(StandardCharsets.UTF_8));
    static final StoredResult OTHER_RECEIPT =
            StoredResult.of("json", "{\"receipt\":2}".getBytes(StandardCharsets.UTF_8));

    final RecordId record = new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));

    private StoreHarness harness;

    /** A rule of the contract: throws an assertion error if the store breaks it. */
    interface Rule {
        void check();
    }

    /** Finds the rules of a section among its fields. */
    static final class Rules implements ArgumentsProvider {
        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext test) {
            return Stream.of(test.getRequiredTestClass().getSuperclass().getDeclaredFields())
                    .filter(field -> field.getType().equals(Rule.class))
                    .map(rule -> Arguments.argumentSet(rule.getName() + "()", rule));
        }
    }

    /** Opens a harness of the contract that a section belongs to. */
    static final class OpenedHarness extends TypeBasedParameterResolver<StoreHarness> {
        @Override
        public StoreHarness resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return test.getRequiredTestInstances()
                    .findInstance(IdempotencyStoreContract.class)
                    .orElseThrow()
                    .open();
        }
    }

    @BeforeEach
    void openHarness(StoreHarness opened) {
        harness = opened;
    }

    @AfterEach
    void closeHarness() {
        harness.close();
    }

    @ParameterizedTest(name = ParameterizedInvocationConstants.ARGUMENT_SET_NAME_PLACEHOLDER)
    @ArgumentsSource(Rules.class)
    void isKept(Field rule) throws IllegalAccessException {
        try {
            ((Rule) rule.get(this)).check();
        } catch (AssertionError broken) {
            throw new AssertionError(rule.getName() + ": " + broken.getMessage(), broken);
        }
    }

    IdempotencyStore store() {
        return harness.store();
    }

    void advance(Duration by) {
        harness.advance(by);
    }

    Claim acquire(Request request) {
        return store().acquire(request.build());
    }

    /** Returns a request of a new owner. */
    Request request() {
        return Request.of(record);
    }

    /** Returns a request of a new owner for another record. */
    Request another() {
        return Request.of(new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), record.scope()));
    }

    /** Returns the grant of a new owner. */
    Grant granted() {
        return granted(request());
    }

    Grant granted(Request request) {
        Claim.Granted claim = granted(acquire(request));
        return new Grant(this, request, claim, List.of(claim.lease().fence()));
    }

    static Claim.Granted granted(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return (Claim.Granted) claim;
    }

    /** Returns the grant of a new owner whose payload has the fingerprint {@link #HUNDRED}. */
    Grant hundred() {
        return granted(request().fingerprinted(HUNDRED));
    }

    RecordSnapshot snapshot() {
        return store().inspect(record).orElseThrow();
    }

    /** Runs a call, and checks that the record is the same to the byte afterwards. */
    <T> T leavingUntouched(RecordId untouched, Supplier<T> call) {
        String before = harness.stored(untouched);
        T answer = call.get();
        assertThat(harness.stored(untouched)).as("stored form of %s", untouched).isEqualTo(before);
        return answer;
    }

    <T> T leavingUntouched(Supplier<T> call) {
        return leavingUntouched(record, call);
    }

    /** Asserts that an owner whose lease was taken ends nothing, neither the work of the next owner nor its result. */
    void assertEndsNothingAfterATakeover(Call settlement) {
        Grant first = granted();
        Grant second = first.takeover();
        first.unchanged(lost(RecordState.PENDING), settlement);
        second.then(Call.complete(OTHER_RECEIPT));
        first.unchanged(lost(RecordState.COMPLETED, OTHER_RECEIPT), settlement);
    }

    static StoreAnswer ok() {
        return ok(StoredResult.NONE);
    }

    static StoreAnswer ok(StoredResult result) {
        return new StoreAnswer.Ok(result);
    }

    static StoreAnswer lost(RecordState found) {
        return lost(found, StoredResult.NONE);
    }

    static StoreAnswer lost(RecordState found, StoredResult result) {
        return new StoreAnswer.Lost(found, result);
    }

    static void assertAbout(Duration actual, Duration expected) {
        assertThat(actual).isBetween(expected.minus(SLACK), expected);
    }
}
