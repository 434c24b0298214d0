package io.idem.workshop.simulation.rewrite;

import io.idem.workshop.simulation.kernel.VirtualTime;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Redirects calls and method references of single JDK methods to {@link VirtualTime}. */
final class RewrittenCalls extends MethodVisitor {

    private static final String TARGET = Type.getInternalName(VirtualTime.class);
    private static final String THREAD = "java/lang/Thread";
    private static final String FUTURE = "java/util/concurrent/CompletableFuture";

    /**
     * Replaced methods and the names of their replacements. The replacement of an instance method takes the object as
     * its first parameter. Pauses are included so that code of idem and its libraries sleeps in virtual time.
     */
    private static final Map<String, String> CALLS = Map.ofEntries(
            Map.entry("java/lang/System.nanoTime()J", "nanoTime"),
            Map.entry("java/lang/System.currentTimeMillis()J", "currentTimeMillis"),
            Map.entry("java/lang/Math.random()D", "random"),
            Map.entry(THREAD + ".sleep(J)V", "sleep"),
            Map.entry("java/util/concurrent/TimeUnit.sleep(J)V", "sleep"),
            Map.entry("java/time/Instant.now()Ljava/time/Instant;", "instant"),
            Map.entry("java/time/InstantSource.system()Ljava/time/InstantSource;", "system"),
            Map.entry(FUTURE + ".get(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;", "get"),
            Map.entry(FUTURE + ".join()Ljava/lang/Object;", "join"),
            Map.entry(FUTURE + ".orTimeout(JLjava/util/concurrent/TimeUnit;)L" + FUTURE + ";", "orTimeout"),
            Map.entry(
                    FUTURE + ".completeOnTimeout(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)L" + FUTURE + ";",
                    "completeOnTimeout"),
            Map.entry(
                    FUTURE + ".delayedExecutor(JLjava/util/concurrent/TimeUnit;)Ljava/util/concurrent/Executor;",
                    "delayedExecutor"),
            Map.entry(
                    FUTURE + ".delayedExecutor(JLjava/util/concurrent/TimeUnit;Ljava/util/concurrent/Executor;)"
                            + "Ljava/util/concurrent/Executor;",
                    "delayedExecutor"));

    RewrittenCalls(MethodVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        String replacement = CALLS.get(owner + "." + name + descriptor);
        if (replacement == null) {
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
            return;
        }
        boolean ofObject = opcode != Opcodes.INVOKESTATIC;
        super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                TARGET,
                replacement,
                ofObject ? withObject(owner, descriptor) : descriptor,
                false);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        Object[] rewritten = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            rewritten[i] = arguments[i] instanceof Handle handle ? rewritten(handle) : arguments[i];
        }
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, rewritten);
    }

    private static Handle rewritten(Handle handle) {
        String replacement = CALLS.get(handle.getOwner() + "." + handle.getName() + handle.getDesc());
        if (replacement == null) {
            return handle;
        }
        boolean ofObject = handle.getTag() != Opcodes.H_INVOKESTATIC;
        String descriptor = ofObject ? withObject(handle.getOwner(), handle.getDesc()) : handle.getDesc();
        return new Handle(Opcodes.H_INVOKESTATIC, TARGET, replacement, descriptor, false);
    }

    private static String withObject(String owner, String descriptor) {
        return "(L" + owner + ";" + descriptor.substring(1);
    }
}
