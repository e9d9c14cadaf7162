package io.iocluster.http.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server of the matrix: a folder below {@code servers} of the test resources with {@code server.properties} and the files that it names.
 * These keys describe a server; in values and files, <code>${NAME}</code> is replaced:
 *
 * <ul>
 *   <li>{@code program}: its path. The server is skipped if there is none, or no {@code needs}
 *   <li>{@code command}: the command that starts it, separated by spaces
 *   <li>{@code build}: a command that must succeed before, once
 *   <li>{@code reload}: {@code signal NAME}, {@code restart} (SIGTERM and a new process), or a command
 *   <li>{@code protocols}: {@link Protocol} labels
 *   <li>{@code fault.LABEL}: that the server supports this fault, and what <code>${fault}</code> stands for
 *   <li>{@code NAME.MODE}, {@code NAME.LABEL}: what <code>${NAME}</code> stands for with {@code h1}, {@code h1s} or {@code h2}, or with a
 *       fault
 *   <li>{@code maybe.LABEL}: modes in which the wire leaves open whether the server processed a call, which it then has not
 *   <li>{@code drops.LABEL}: modes in which the server does not answer calls that it has processed
 *   <li>{@code kind}: {@code target}, {@code files} for a server of files that returns what is posted, or {@code proxy}
 * </ul>
 */
final class TestedServer {

    /** The server in this process, which has no program. */
    static final String NETTY = "netty";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([a-zA-Z0-9]+)}");

    private final String name;
    private final Path folder;
    private final Properties properties = new Properties();
    private boolean isBuilt;

    private TestedServer(String name, Path folder) throws IOException {
        this.name = name;
        this.folder = folder;
        try (InputStream in = Files.newInputStream(folder.resolve("server.properties"))) {
            properties.load(in);
        }
    }

    /** Returns all servers, sorted by name. */
    static List<TestedServer> all() throws IOException {
        Path root = Path.of(TestedServer.class.getResource("/servers").getPath());
        List<TestedServer> servers = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root)) {
            for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                servers.add(new TestedServer(folder.getFileName().toString(), folder));
            }
        }
        return servers;
    }

    /** Returns the server with this name. */
    static TestedServer of(String name) throws IOException {
        return all().stream()
                .filter(server -> server.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown server: " + name));
    }

    String name() {
        return name;
    }

    boolean isInProcess() {
        return name.equals(NETTY);
    }

    boolean isProxy() {
        return property("kind", "target").equals("proxy");
    }

    Echo echo() {
        return property("kind", "target").equals("files") ? Echo.FILES : Echo.APPLICATION;
    }

    boolean isInstalled() {
        String program = property("needs", property("program", ""));
        return isInProcess()
                || Stream.concat(
                                Stream.of(""),
                                Arrays.stream(System.getenv("PATH").split(":")))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, fill(program, paths()))));
    }

    /** Returns whether the server can be configured for a fault with a protocol. */
    boolean supports(Fault fault, Protocol protocol) {
        return protocols().contains(protocol)
                && (fault == Fault.STEADY || properties.containsKey("fault." + fault.label()))
                && (protocol.isHttp2() || !fault.isOfStreams());
    }

    private List<Protocol> protocols() {
        return Arrays.stream(property("protocols", "").split(" "))
                .map(Protocol::of)
                .toList();
    }

    /** Returns whether the wire leaves open what the server processed. */
    boolean allowsMaybe(Fault fault, Protocol protocol) {
        return drops(fault, protocol) || has("maybe", fault, protocol);
    }

    /** Returns whether the server does not answer what it processes. */
    boolean drops(Fault fault, Protocol protocol) {
        return fault == Fault.KILL || has("drops", fault, protocol);
    }

    private boolean has(String key, Fault fault, Protocol protocol) {
        return List.of(property(key + "." + fault.label(), "").split(" ")).contains(protocol.mode());
    }

    /** Starts the server in a folder, which has the certificate. */
    ProcessServer start(Path target, Fault fault, Protocol protocol, int[] ports)
            throws IOException, InterruptedException {
        Map<String, String> variables = new HashMap<>(paths());
        variables.put("folder", target.toString());
        variables.put("port", Integer.toString(ports[0]));
        variables.put("backend", Integer.toString(ports[1]));
        variables.put("admin", Integer.toString(ports[2]));
        variables.put("tls", protocol.isTls() ? protocol.tls() : "none");
        variables.put("tlsVersions", protocol.isTls() ? "TLSv" + protocol.tls() : "TLSv1.2 TLSv1.3");
        variables.put("eol", "\n");
        variables.put("modeName", protocol.mode());
        variables.put("faultName", fault.label());
        variables.put("program", fill(property("program", ""), variables));
        build(variables);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.writeString(target.resolve(file.getFileName()), fill(Files.readString(file), variables));
            }
        }
        Files.write(target.resolve("data"), Echo.FILE);
        return new ProcessServer(
                command("command", variables), fill(property("reload", "restart"), variables), target, ports[0]);
    }

    private void build(Map<String, String> variables) throws IOException, InterruptedException {
        if (!isBuilt && properties.containsKey("build")) {
            int exit = new ProcessBuilder(command("build", variables))
                    .directory(folder.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("the build of the server " + name + " ended with " + exit);
            }
            isBuilt = true;
        }
    }

    private List<String> command(String key, Map<String, String> variables) {
        return Arrays.stream(fill(property(key, ""), variables).split(" "))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Returns folders below {@code target} of the module, where scripts and builds put programs. */
    private static Map<String, String> paths() {
        Path build = Path.of("target").toAbsolutePath();
        return Map.of(
                "python", build.resolve("servers-python/bin").toString(),
                "build", build.toString());
    }

    private String property(String key, String otherwise) {
        return properties.getProperty(key, otherwise).strip();
    }

    /** Replaces variables: those given, or the property {@code NAME.MODE} or {@code NAME.FAULT}. */
    private String fill(String text, Map<String, String> variables) {
        return VARIABLE.matcher(text).replaceAll(match -> {
            String variable = match.group(1);
            String value = variables.get(variable);
            if (value == null
                    && properties.stringPropertyNames().stream().anyMatch(key -> key.startsWith(variable + "."))) {
                String byFault = property(variable + "." + variables.get("faultName"), "");
                value = fill(property(variable + "." + variables.get("modeName"), byFault), variables);
            }
            // Other text in braces belongs to the file, such as that of a program.
            return Matcher.quoteReplacement(value == null ? match.group() : value);
        });
    }
}
