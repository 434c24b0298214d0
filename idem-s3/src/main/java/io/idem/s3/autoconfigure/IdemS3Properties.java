package io.idem.s3.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.result.offload.s3}. Credentials come from where the AWS SDK looks for them.
 *
 * @param bucket where large results are kept; none, the default, keeps them in the records
 * @param prefix in front of the names of all objects
 * @param region of the bucket; default what the AWS SDK finds
 * @param endpoint of a store that speaks the protocol of S3; default that of AWS
 * @param pathStyleAccess whether the bucket's name is in the path rather than the host name, as most such stores need
 */
@ConfigurationProperties("idem.result.offload.s3")
record IdemS3Properties(
        @Nullable String bucket,
        @DefaultValue("idem/") String prefix,
        @Nullable String region,
        @Nullable URI endpoint,
        @DefaultValue("false") boolean pathStyleAccess) {

    IdemS3Properties {
        require(bucket == null || !bucket.isBlank(), "idem.result.offload.s3.bucket is empty; name one, or remove it");
        require(region == null || !region.isBlank(), "idem.result.offload.s3.region is empty; name one, or remove it");
    }
}
