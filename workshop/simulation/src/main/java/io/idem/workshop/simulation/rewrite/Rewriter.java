package io.idem.workshop.simulation.rewrite;

import io.idem.workshop.simulation.kernel.VirtualLatch;
import io.idem.workshop.simulation.kernel.VirtualRandom;
import io.idem.workshop.simulation.kernel.VirtualScheduler;
import io.idem.workshop.simulation.kernel.VirtualSecureRandom;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/** Replaces clocks, waits and randomness of the JDK in the bytecode of a class. */
final class Rewriter {

    /** Types that are replaced as a whole. */
    private static final Map<String, String> TYPES = Map.of(
            "java/util/concurrent/ThreadLocalRandom", Type.getInternalName(VirtualRandom.class),
            "java/security/SecureRandom", Type.getInternalName(VirtualSecureRandom.class),
            "java/util/concurrent/CountDownLatch", Type.getInternalName(VirtualLatch.class),
            "java/util/concurrent/ScheduledThreadPoolExecutor", Type.getInternalName(VirtualScheduler.class));

    private Rewriter() {}

    static byte[] rewritten(byte[] original) {
        ClassWriter writer = new ClassWriter(0);
        ClassVisitor calls =
                new ClassVisitor(Opcodes.ASM9, new ClassRemapper(writer, new SimpleRemapper(Opcodes.ASM9, TYPES))) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        return new RewrittenCalls(super.visitMethod(access, name, descriptor, signature, exceptions));
                    }
                };
        new ClassReader(original).accept(calls, 0);
        return writer.toByteArray();
    }
}
