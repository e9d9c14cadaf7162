package io.iocluster.kafka.requirement;

import java.util.Map;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;
import org.apache.kafka.common.utils.Utils;

/** Verifies that classes that the Kafka clients load by name can be used. Stateless. */
public final class LoadableClass {

    /** Optional libraries of the Kafka clients, by the beginning of their class names. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "org.jose4j.", "org.bitbucket.b_c:jose4j",
            "com.fasterxml.jackson.", "com.fasterxml.jackson.core:jackson-databind",
            "com.github.luben.zstd.", "com.github.luben:zstd-jni",
            "net.jpountz.", "at.yawk.lz4:lz4-java",
            "org.xerial.snappy.", "org.xerial.snappy:snappy-java");

    /** Before version 4.0 of the Kafka clients, this class was in another package, which many guides still name. */
    private static final Class<?> HANDLER = OAuthBearerLoginCallbackHandler.class;

    private LoadableClass() {}

    /**
     * Returns why the Kafka clients cannot create an instance of the class, and what to do; null if they can. Initializes
     * the class, because native libraries are loaded and SASL providers are registered then.
     */
    public static String obstacle(String className) {
        String name = className.strip();
        try {
            // Resolves the types of the constructors' parameters too, as the clients do.
            boolean hasConstructor = Class.forName(name, true, Utils.getContextOrKafkaClassLoader())
                            .getDeclaredConstructors()
                            .length
                    > 0;
            return hasConstructor ? null : "the class " + name + " has no constructor; name another class";
        } catch (ClassNotFoundException missing) {
            return missing(name);
        } catch (UnsatisfiedLinkError broken) {
            return "the native library of the class " + name + " cannot be loaded (" + firstLine(broken)
                    + "); the folder java.io.tmpdir must be writable, and its file system must not be mounted noexec";
        } catch (NoClassDefFoundError missing) {
            return missing.getMessage() == null ? unusable(name, missing) : missing(missing.getMessage());
        } catch (LinkageError broken) {
            return unusable(name, broken);
        }
    }

    private static String missing(String name) {
        // The JVM writes the name of a missing class with slashes.
        String missing = name.replace('/', '.');
        if (missing.startsWith("org.apache.kafka.")) {
            String moved = missing.endsWith("." + HANDLER.getSimpleName()) ? "; use " + HANDLER.getName() : "";
            return "the Kafka clients have no class " + missing + moved;
        }
        String library = LIBRARIES.entrySet().stream()
                .filter(entry -> missing.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("its jar");
        return "the class " + missing + " is not on the class path; add " + library
                + ", for a node or a door to the folder lib";
    }

    private static String firstLine(Throwable broken) {
        return String.valueOf(broken.getMessage()).lines().findFirst().orElse("");
    }

    private static String unusable(String name, LinkageError broken) {
        Throwable cause = broken.getCause() == null ? broken : broken.getCause();
        return "the class " + name + " cannot be loaded: " + cause;
    }
}
