from spotlab.api.evaluation import evaluate as evaluate
from spotlab.api.reranking import rerank as rerank
from spotlab.api.run_comparison import compare_runs as compare_runs
from spotlab.api.runs import read_run as read_run
from spotlab.api.strokes import hull_of_stroke as hull_of_stroke
from spotlab.api.symbols import spot_symbols as spot_symbols
from spotlab.api.system_comparison import compare_systems as compare_systems
from spotlab.api.truth import read_truth as read_truth
from spotlab.api.truth import write_truth as write_truth
from spotlab.api.uncertain_truth import uncertain as uncertain
from spotlab.api.word_adaptation import adapt_words as adapt_words
from spotlab.api.words import spot_words as spot_words
from spotlab.errors import BadArgument as BadArgument
from spotlab.errors import BadInput as BadInput
from spotlab.errors import BadLines as BadLines
from spotlab.errors import SpotlabError as SpotlabError
from spotlab.resources import sample_collection as sample_collection

__version__: str
