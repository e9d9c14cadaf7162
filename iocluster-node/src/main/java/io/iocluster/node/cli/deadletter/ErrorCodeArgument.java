package io.iocluster.node.cli.deadletter;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.config.binding.NearestName;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of an error code. A misspelt one would select nothing. */
final class ErrorCodeArgument implements ITypeConverter<String> {

    private static final List<String> NAMES =
            Arrays.stream(ErrorCode.values()).map(ErrorCode::wireName).toList();

    @Override
    public String convert(String text) {
        if (!NAMES.contains(text)) {
            throw new TypeConversionException("'" + text + "' is not an error code" + NearestName.hint(text, NAMES));
        }
        return text;
    }
}
