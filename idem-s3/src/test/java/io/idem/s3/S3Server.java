package io.idem.s3;

import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A server that speaks the protocol of S3, signatures included, and keeps its objects in memory. */
public final class S3Server implements AutoCloseable {

    /** The access key of the only client. */
    public static final String ACCESS_KEY = "test-access-key";

    /** The secret of the access key. */
    public static final String SECRET_KEY = "test-secret-key";

    /** The bucket of the tests. */
    public static final String BUCKET = "results";

    private final S3Proxy server;

    /** Starts it with an empty bucket. */
    public S3Server() throws Exception {
        TransientNio2BlobStore objects = new TransientNio2BlobStore();
        objects.createContainer(BUCKET);
        server = S3Proxy.builder()
                .blobStore(objects)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                .build();
        server.start();
    }

    /** Returns the address of the server. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    /** A client for it, to be closed. */
    public S3Client client(String secret) {
        return S3Client.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .endpointOverride(endpoint())
                .forcePathStyle(true)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, secret)))
                .build();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
