package io.idem.servers.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys and self-signed certificates for one test run, made by the JDK's keytool. */
public final class Certificates {

    /** Password of every store. */
    public static final String PASSWORD = "changeit";

    private final Path directory;

    /** Creates certificates in this directory. */
    public Certificates(Path directory) {
        this.directory = directory;
    }

    /** Creates a key and its certificate for a host, and returns their store, which has this name. */
    public Path identity(String name, String subjectAlternativeName) {
        Path store = directory.resolve(name + ".p12");
        keytool(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + subjectAlternativeName,
                "-validity",
                "2",
                "-keystore",
                store.toString());
        return store;
    }

    /** Creates a store that trusts only this identity. */
    public Path trustIn(Path identity) {
        try {
            KeyStore own = load(identity);
            String alias = own.aliases().nextElement();
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            trust.setCertificateEntry(alias, own.getCertificate(alias));
            return save(trust, directory.resolve(alias + "-trust.p12"));
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
    }

    private static Path save(KeyStore store, Path file) throws GeneralSecurityException, IOException {
        try (var bytes = Files.newOutputStream(file)) {
            store.store(bytes, PASSWORD.toCharArray());
        }
        return file;
    }

    private static void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        try {
            Process keytool =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + output);
            }
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException("keytool did not run", failure);
        }
    }

    /**
     * Returns the context of a server with this identity. With a store in {@code trustInClients} it accepts only
     * clients that this store trusts.
     */
    public static SSLContext server(Path identity, Path... trustInClients) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load(identity), PASSWORD.toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trustInClients.length == 0 ? null : load(trustInClients[0]));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
    }

    /** Returns the context of a client that trusts one identity and, if given one, presents its own. */
    public static SSLContext client(Path trusted, Path... own) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own.length == 0 ? null : load(own[0]), PASSWORD.toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trusted));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
    }

    /** Returns an identity's certificate as PEM. */
    public Path certificatePem(Path identity) {
        return pem(
                identity,
                "CERTIFICATE",
                (store, alias) -> store.getCertificate(alias).getEncoded());
    }

    /** Returns an identity's private key as PEM, not encrypted. */
    public Path keyPem(Path identity) {
        return pem(
                identity,
                "PRIVATE KEY",
                (store, alias) -> store.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    }

    private Path pem(Path identity, String what, Part part) {
        try {
            KeyStore store = load(identity);
            String alias = store.aliases().nextElement();
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(part.of(store, alias));
            String name = alias + "-" + what.toLowerCase(Locale.ROOT).replace(' ', '-') + ".pem";
            return Files.writeString(
                    directory.resolve(name),
                    "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
    }

    /** Reads an entry of a store. */
    private interface Part {

        byte[] of(KeyStore store, String alias) throws GeneralSecurityException;
    }

    private static KeyStore load(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var bytes = Files.newInputStream(file)) {
            store.load(bytes, PASSWORD.toCharArray());
        }
        return store;
    }
}
