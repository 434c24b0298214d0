package io.idem.s3.autoconfigure;

import io.idem.result.ResultStorage;
import io.idem.s3.S3ResultStorage;
import java.time.Duration;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Auto-configuration of large results in a bucket, through the application's own client if it has one. */
@AutoConfiguration(beforeName = "io.idem.autoconfigure.IdemResultAutoConfiguration")
@ConditionalOnProperty("idem.result.offload.s3.bucket")
@ConditionalOnMissingBean(ResultStorage.class)
@EnableConfigurationProperties(IdemS3Properties.class)
class IdemS3AutoConfiguration {

    /** Of one call, with its repetitions. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    S3ResultStorage idemS3ResultStorage(S3Client client, IdemS3Properties properties) {
        String bucket = Objects.requireNonNull(properties.bucket(), "asked for by the condition");
        return new S3ResultStorage(client, bucket, properties.prefix());
    }

    /**
     * Uses checksums only where S3 requires them: other stores refuse newer ones, and idem compares a digest of its
     * own.
     */
    @Bean
    @ConditionalOnMissingBean
    S3Client idemS3Client(IdemS3Properties properties) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .forcePathStyle(properties.pathStyleAccess())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(override -> override.apiCallTimeout(CALL_TIMEOUT));
        if (properties.region() != null) {
            builder.region(Region.of(properties.region()));
        }
        if (properties.endpoint() != null) {
            builder.endpointOverride(properties.endpoint());
        }
        return builder.build();
    }
}
