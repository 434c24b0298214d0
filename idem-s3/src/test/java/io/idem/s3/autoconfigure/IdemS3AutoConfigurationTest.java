package io.idem.s3.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.result.ResultStorage;
import io.idem.s3.S3ResultStorage;
import io.idem.s3.S3Server;
import io.idem.spi.IdempotencyStore;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Large results through the whole application: executor, pipeline, bucket, and back. */
@Tag("servers")
class IdemS3AutoConfigurationTest {

    private static S3Server server;

    private final Operation operation =
            Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults());
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
            .withSystemProperties(
                    "aws.accessKeyId=" + S3Server.ACCESS_KEY, "aws.secretAccessKey=" + S3Server.SECRET_KEY);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @BeforeAll
    static void start() throws Exception {
        server = new S3Server();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private ApplicationContextRunner withBucket() {
        return runner.withPropertyValues(
                "idem.result.offload.s3.bucket=" + S3Server.BUCKET,
                "idem.result.offload.s3.endpoint=" + server.endpoint(),
                "idem.result.offload.s3.region=eu-central-1",
                "idem.result.offload.s3.path-style-access=true",
                "idem.result.offload.above=1KB");
    }

    private static StoredResult noise() {
        byte[] content = new byte[100_000];
        new Random(1).nextBytes(content);
        return StoredResult.of("text", content);
    }

    private Outcome<String> execute(IdempotentExecutor executor) throws Exception {
        return executor.execute(operation, context -> new WorkResult.Complete<>("done", noise()));
    }

    @Test
    void withoutABucketResultsStayInTheirRecords() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(ResultStorage.class)
                .doesNotHaveBean(S3Client.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bucket", "region"})
    void anEmptySettingIsRefusedByItsName(String setting) {
        withBucket()
                .withPropertyValues("idem.result.offload.s3." + setting + "=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContainingAll("idem.result.offload.s3." + setting + " is empty", "remove"));
    }

    @Test
    void largeResultsGoToTheBucketAndDuplicatesGetThemFromThere() {
        withBucket().run(context -> {
            assertThat(context).hasSingleBean(S3ResultStorage.class);
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            assertThat(execute(executor)).isEqualTo(new Outcome.Executed<>("done", noise()));

            assertThat(execute(executor)).isEqualTo(new Outcome.Replayed<>(noise()));

            IdempotencyStore store = context.getBean(IdempotencyStore.class);
            assertThat(store.inspect(operation.record()).orElseThrow().result().size())
                    .isLessThan(300);
        });
    }

    @Test
    void anObjectThatSomebodyRemovedIsAnsweredAsOmitted() {
        withBucket().run(context -> {
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            execute(executor);
            S3Client client = context.getBean(S3Client.class);
            for (S3Object object : client.listObjectsV2(request -> request.bucket(S3Server.BUCKET))
                    .contents()) {
                client.deleteObject(request -> request.bucket(S3Server.BUCKET).key(object.key()));
            }

            assertThat(execute(executor)).isEqualTo(new Outcome.Replayed<>(StoredResult.OMITTED));
        });
    }

    @Test
    void anApplicationsOwnStorageIsUsedInstead() {
        ResultStorage own = new S3ResultStorage(server.client(S3Server.SECRET_KEY), S3Server.BUCKET, "own/");
        withBucket()
                .withBean(ResultStorage.class, () -> own)
                .run(context -> assertThat(context.getBean(ResultStorage.class)).isSameAs(own));
    }
}
