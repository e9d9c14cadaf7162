package io.iocluster.node.cli;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings.TransportKind;
import io.iocluster.node.config.binding.FileReadError;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints or writes a first configuration. */
@Command(
        name = "init",
        description =
                "Prints a first configuration with comments, or writes it to a new file, and its JSON Schema beside it, with which"
                        + " editors complete keys and mark errors.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The configuration was printed or written.",
            "1:The file exists or cannot be written.",
            "2:The command line is wrong."
        })
public final class InitCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Option(
            names = "--transport",
            defaultValue = "kafka",
            paramLabel = "NAME",
            description = "kafka or rabbit (default: ${DEFAULT-VALUE}).")
    private TransportKind transport;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "File to create; standard output if it is omitted. An existing file is never replaced, except "
                            + SchemaCommand.FILE + ".")
    private Path file;

    public InitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        String text = StarterConfiguration.of(transport);
        if (file == null) {
            terminal.out().print(text);
            return ExitCode.OK;
        }
        write(file, text, StandardOpenOption.CREATE_NEW);
        write(file.resolveSibling(SchemaCommand.FILE), SchemaCommand.schema(), StandardOpenOption.CREATE);
        terminal.err().println("wrote " + file + "; next: iocluster check --config " + file + " --connect");
        return ExitCode.OK;
    }

    private static void write(Path file, String text, StandardOpenOption mode) throws IOException {
        try {
            Files.writeString(file, text, mode, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (FileAlreadyExistsException exists) {
            throw new IOException(file + " exists; name another file, or remove it", exists);
        } catch (IOException failed) {
            throw new IOException(file + " cannot be written: " + FileReadError.reason(file, failed), failed);
        }
    }
}
