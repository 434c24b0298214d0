import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Copies the jar of Spring Boot 4.1's RabbitMQ module with the package that Spring Boot 4.2 gave it. Arguments: the jar, and the file for
 * the copy.
 */
final class MovedPackage {

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    /** The bytes behind the tag of each other kind of constant. */
    private static final int[] SIZES = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    public static void main(String[] arguments) throws IOException {
        try (JarFile from = new JarFile(arguments[0]);
                OutputStream file = Files.newOutputStream(Path.of(arguments[1]));
                JarOutputStream to = new JarOutputStream(file)) {
            for (Enumeration<JarEntry> entries = from.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                to.putNextEntry(new JarEntry(moved(entry.getName())));
                try (InputStream content = from.getInputStream(entry)) {
                    to.write(entry.getName().endsWith(".class") ? movedClass(content) : movedText(content));
                }
            }
        }
    }

    private static String moved(String text) {
        return text.replace("org/springframework/boot/amqp/", "org/springframework/boot/rabbitmq/")
                .replace("org.springframework.boot.amqp.", "org.springframework.boot.rabbitmq.");
    }

    private static byte[] movedText(InputStream content) throws IOException {
        return moved(new String(content.readAllBytes(), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    /** Writes every text among the constants anew: all names of types, methods and resources are such texts. */
    private static byte[] movedClass(InputStream content) throws IOException {
        DataInputStream in = new DataInputStream(content);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(in.readNBytes(8));
        int constants = in.readUnsignedShort();
        out.writeShort(constants);
        for (int i = 1; i < constants; i++) {
            int kind = in.readUnsignedByte();
            out.writeByte(kind);
            if (kind == UTF8) {
                out.writeUTF(moved(in.readUTF()));
            } else {
                out.write(in.readNBytes(SIZES[kind]));
            }
            // Takes the place of two.
            i += kind == LONG || kind == DOUBLE ? 1 : 0;
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }
}
